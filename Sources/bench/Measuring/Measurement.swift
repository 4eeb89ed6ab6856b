/// The numbers of one row.
struct Measurement {
    /// A batch of the subject, and one of the floor right before or after it.
    struct Round {
        var subject: Batch.Reading
        var floor: Batch.Reading

        var isInterrupted: Bool { subject.isInterrupted || floor.isInterrupted }
        var ratio: Double { subject.nanosecondsPerRepetition / floor.nanosecondsPerRepetition }
    }

    /// The median of one repetition, in nanoseconds.
    let subject: Double
    /// The median of one repetition of the floor, in nanoseconds.
    let floor: Double
    /// The ratio of subject to floor.
    let ratio: Spread
    /// The number of rounds that count.
    let rounds: Int

    /// Counts the rounds that were not interrupted, or all of them if those are too few.
    init(_ all: [Round]) {
        let quiet = all.filter { !$0.isInterrupted }
        let rounds = quiet.count >= min(all.count, 15) ? quiet : all
        subject = Spread(rounds.map(\.subject.nanosecondsPerRepetition)).median
        floor = Spread(rounds.map(\.floor.nanosecondsPerRepetition)).median
        ratio = Spread(rounds.map(\.ratio))
        self.rounds = rounds.count
    }

    /// True if the ratio was so unsteady that a difference of 10 % cannot be told from noise.
    var isNoisy: Bool { ratio.high - ratio.low > 0.1 * ratio.median }
}

/// The middle of some numbers, and the range of the middle half.
struct Spread {
    let low: Double
    let median: Double
    let high: Double

    /// - Parameter values: At least one.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        func quantile(_ fraction: Double) -> Double { sorted[Int((Double(sorted.count - 1) * fraction).rounded())] }
        (low, median, high) = (quantile(0.25), quantile(0.5), quantile(0.75))
    }
}

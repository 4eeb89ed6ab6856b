/// The measured numbers for one row.
struct Measurement {
    /// The readings of a batch of the subject and a batch of the floor. One batch is measured directly after the other.
    struct Round {
        var subject: Batch.Reading
        var floor: Batch.Reading

        var isInterrupted: Bool { subject.isInterrupted || floor.isInterrupted }
        var ratio: Double { subject.cost / floor.cost }
    }

    /// The median cost of one repetition of the subject, in nanoseconds or bytes.
    let subject: Double
    /// The median cost of one repetition of the floor, in nanoseconds or bytes.
    let floor: Double
    /// The ratio of the subject's cost to the floor's cost.
    let ratio: Spread
    /// The number of rounds that the numbers are computed from.
    let rounds: Int

    /// Creates a measurement from the rounds that were not interrupted. If there are too few uninterrupted rounds, uses
    /// all rounds.
    init(_ all: [Round]) {
        let quiet = all.filter { !$0.isInterrupted }
        let rounds = quiet.count >= min(all.count, 15) ? quiet : all
        subject = Spread(rounds.map(\.subject.cost)).median
        floor = Spread(rounds.map(\.floor.cost)).median
        ratio = Spread(rounds.map(\.ratio))
        self.rounds = rounds.count
    }

    /// True if the ratio varied so much that a difference of 10 % could be noise.
    var isNoisy: Bool { ratio.high - ratio.low > 0.1 * ratio.median }
}

/// The median of several numbers, and their first and third quartiles.
struct Spread {
    let low: Double
    let median: Double
    let high: Double

    /// Creates a spread by computing the median and the quartiles.
    ///
    /// - Parameter values: The numbers. The array must not be empty.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        func quantile(_ fraction: Double) -> Double { sorted[Int((Double(sorted.count - 1) * fraction).rounded())] }
        (low, median, high) = (quantile(0.25), quantile(0.5), quantile(0.75))
    }
}

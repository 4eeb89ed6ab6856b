/// The amount of time to spend on measuring one row.
enum Effort {
    /// Measuring takes about one second.
    case full
    /// A few repetitions check that the row works. The numbers are not accurate.
    case quick

    /// The minimum duration of one batch. Batches are short because the scheduler rarely interrupts a short batch.
    var batch: Duration { self == .quick ? .microseconds(20) : .milliseconds(1) }

    /// The minimum duration of the warm-up for each side.
    var warmUp: Duration { self == .quick ? .zero : .milliseconds(100) }

    /// Returns true if no more rounds are needed.
    ///
    /// - Parameters:
    ///   - rounds: The number of rounds so far.
    ///   - quiet: The number of rounds so far that were not interrupted.
    ///   - time: The total duration of the rounds so far.
    func isEnough(rounds: Int, quiet: Int, time: Duration) -> Bool {
        switch self {
        case .quick: rounds >= 3
        case .full:
            quiet >= 401 || rounds >= 31 && time >= (quiet >= 31 ? .seconds(1) : .seconds(4))
                || rounds >= 5 && time >= .seconds(15) || rounds >= 3 && time >= .seconds(45)
        }
    }
}

import Glibc

/// A quantity that a trial measures.
enum Quantity: String, Encodable {
    /// The elapsed time, in nanoseconds.
    case time
    /// The processor time of the child processes that have ended, in nanoseconds.
    case processorTime
    /// A part of the elapsed time, in nanoseconds. The trial's closures measure and return it.
    case partOfTime
    /// The memory in bytes. The trial's closures measure and return it.
    case memory

    /// True if the trial's closures return the cost of one repetition.
    var isReturned: Bool { self == .partOfTime || self == .memory }

    /// The quantity's present value for this process. Zero if the trial's closures return the cost.
    var now: Duration {
        switch self {
        case .time:
            return Self.start.duration(to: .now)
        case .processorTime:
            var usage = rusage()
            getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage)
            return Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime)
        case .partOfTime, .memory:
            return .zero
        }
    }

    private static let start = ContinuousClock.now

    private static func duration(_ time: timeval) -> Duration {
        .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }
}

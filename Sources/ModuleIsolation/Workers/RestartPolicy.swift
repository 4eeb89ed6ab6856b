/// When a worker that has crashed is started again. A pure value: whoever has it says what time it is.
struct RestartPolicy: Sendable, Equatable {
    /// What is to be done after a crash.
    enum Decision: Sendable, Equatable {
        case start(after: Duration)
        /// It crashes again and again: its library is not run any more.
        case giveUp
    }

    /// The first start after a crash waits for nothing, the second so long, and each further one twice as long as the one before.
    var firstDelay = Duration.milliseconds(100)
    var longestDelay = Duration.seconds(5)
    /// This many crashes in so long are too many; a time without any of that length, and all are forgotten.
    var crashLimit = 5
    var window = Duration.seconds(60)

    /// What is too much, in words.
    var excess: String { "\(crashLimit) crashes within \(Int(window / .seconds(1))) s" }

    private var crashes: [ContinuousClock.Instant] = []

    init() {}

    /// Takes note of a crash.
    mutating func crashed(at now: ContinuousClock.Instant) -> Decision {
        crashes.removeAll { now - $0 >= window }
        crashes.append(now)
        if crashes.count >= crashLimit { return .giveUp }
        if crashes.count == 1 { return .start(after: .zero) }
        // At most the limit's doublings, so that none of them overflows.
        let delay = (2..<crashes.count).reduce(firstDelay) { delay, _ in min(longestDelay, delay * 2) }
        return .start(after: delay)
    }

    /// Forgets all crashes, for a library that was changed or is to be tried again.
    mutating func reset() { crashes = [] }
}

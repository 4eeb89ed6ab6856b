/// A policy that decides when a crashed worker is restarted. The caller passes the current time.
struct RestartPolicy: Sendable, Equatable {
    enum Decision: Sendable, Equatable {
        case start(after: Duration)
        /// The worker has crashed too often and must not be restarted.
        case giveUp
    }

    /// The delay before the second restart. The first restart is immediate. Each later delay is twice as long as the
    /// previous delay, up to `longestDelay`.
    var firstDelay = Duration.milliseconds(100)
    var longestDelay = Duration.seconds(5)
    /// The number of crashes within `window` after which the policy gives up. Older crashes are ignored.
    var crashLimit = 5
    var window = Duration.seconds(60)

    var excess: String { "\(crashLimit) crashes within \(Int(window / .seconds(1))) s" }

    private var crashes: [ContinuousClock.Instant] = []

    init() {}

    /// Records a crash, and returns whether and when to restart the worker.
    mutating func crashed(at now: ContinuousClock.Instant) -> Decision {
        crashes.removeAll { now - $0 >= window }
        crashes.append(now)
        if crashes.count >= crashLimit { return .giveUp }
        if crashes.count == 1 { return .start(after: .zero) }
        // Limiting the delay at each step prevents overflow.
        let delay = (2..<crashes.count).reduce(firstDelay) { delay, _ in min(longestDelay, delay * 2) }
        return .start(after: delay)
    }

    mutating func reset() { crashes = [] }
}

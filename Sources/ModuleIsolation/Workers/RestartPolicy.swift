/// A policy that decides when a worker that has ended is restarted. The caller passes the current time.
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
    /// The number of crashes within `window` after which the policy gives up. Older crashes are ignored, and so are
    /// workers that were killed from outside.
    var crashLimit = 5
    var window = Duration.seconds(60)

    var excess: String { "\(crashLimit) crashes within \(Int(window / .seconds(1))) s" }

    /// The workers that ended within `window`.
    private var ends: [End] = []

    private struct End: Equatable {
        var time: ContinuousClock.Instant
        var isFault: Bool
    }

    init() {}

    /// Records the end of a worker, and returns whether and when to restart the worker.
    ///
    /// - Parameter isFault: True if the worker crashed, false if it was killed from outside.
    mutating func ended(at now: ContinuousClock.Instant, isFault: Bool) -> Decision {
        ends.removeAll { now - $0.time >= window }
        ends.append(End(time: now, isFault: isFault))
        if isFault, ends.count(where: \.isFault) >= crashLimit { return .giveUp }
        if ends.count == 1 { return .start(after: .zero) }
        // Limiting the delay at each step prevents overflow.
        let delay = (2..<ends.count).reduce(firstDelay) { delay, _ in min(longestDelay, delay * 2) }
        return .start(after: delay)
    }
}

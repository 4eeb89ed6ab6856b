/// A clock for service time limits. Tests can replace it.
struct ServiceClock: Sendable {
    /// Returns the time since the clock was created.
    let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Waits until the given time.
    ///
    /// - Returns: False if the task was cancelled.
    func wait(until deadline: Duration) async -> Bool { (try? await sleep(deadline - now())) != nil }
}

/// The time limits for tests. A limit stops only tests that hang. No test result depends on the speed of the machine.
public enum Patience {
    /// The maximum time that a test waits for one condition, line or process.
    public static let limit = Duration.seconds(600)
    /// The maximum time that a test waits for a running program to react, when it starts nothing and compiles nothing. A wrong
    /// expectation keeps other tests from running for this time.
    public static let reaction = Duration.seconds(120)
}

/// Polls a condition until it is true. The pauses grow to 40 milliseconds, because most conditions start a program, call a
/// host or read its log, and would otherwise use the processor time that they wait for.
///
/// - Parameter limit: The maximum time.
/// - Returns: True if the condition became true. False if it is still false after the time, or if the task is cancelled.
public func eventually(
    within limit: Duration = Patience.limit, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(2)
    while try await !condition() {
        if ContinuousClock.now > deadline || Task.isCancelled { return false }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(40))
    }
    return true
}

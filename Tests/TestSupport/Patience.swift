public import Testing

/// The time limits of the tests. They only end a test that hangs: no test passes or fails by how fast the machine is.
public enum Patience {
    /// The maximum time that a test waits for one condition, line or process.
    public static let limit = Duration.seconds(600)

    /// ``limit`` in whole milliseconds, as `poll` takes it.
    static let milliseconds = Int32(limit / .milliseconds(1))
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs where no wait has a limit of its own. The time counts from the start of the run, because all
    /// tests start at once and those with ``FewAtOnce`` wait for their turn.
    public static var hangLimit: Self { .timeLimit(.minutes(60)) }
}

/// Waits until a condition holds, and checks it again and again.
///
/// - Returns: False if the condition does not hold within ``Patience/limit``, or the task is cancelled.
public func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + Patience.limit
    while try await !condition() {
        if ContinuousClock.now > deadline || Task.isCancelled { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}

import Foundation

/// Runs a blocking closure on a new thread, suspends until the closure returns, and returns its result.
///
/// The tests run on the threads of Swift's cooperative pool. On Linux, `OperationQueue` and concurrent dispatch queues
/// use the same threads, so a blocking call there would delay every test. The trait ``FewAtOnce`` limits how many tests
/// run at the same time, and therefore how many threads they create.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Runs a blocking closure that cannot throw on a new thread, suspends until the closure returns, and returns its
/// result.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

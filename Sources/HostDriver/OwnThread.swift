import Foundation

/// Runs a blocking body on a new thread, and suspends until it returns.
///
/// The threads of Swift's pool run the tests. On Linux, `OperationQueue` and concurrent dispatch queues share these
/// threads, so a blocking call there delays every test. ``FewAtOnce`` bounds the number of threads.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Runs a blocking body that cannot fail on a new thread, and suspends until it returns.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

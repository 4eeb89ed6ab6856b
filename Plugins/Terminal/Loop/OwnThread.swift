import Glibc
import ViperKit

/// Runs a closure on a thread of its own, and waits until it returns.
func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(ViperError) -> Value
) async throws(ViperError) -> Value {
    let result: Result<Value, ViperError> = await withCheckedContinuation { continuation in
        let failure = startThread { continuation.resume(returning: Result { () throws(ViperError) in try body() }) }
        if failure == 0 { return }
        continuation.resume(
            returning: .failure(
                ViperError(
                    .resourceMissing, operation: "cannot start", subject: "a thread",
                    cause: String(cString: strerror(failure)))))
    }
    return try result.get()
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread. Returns 0, or the number of the error.
private func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    // pthread_create takes a C function and a pointer. The pointer owns the box until the thread takes it over.
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { pointer in
            if let pointer { Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run() }
            return nil
        }, box.toOpaque())
    if failure == 0 { pthread_detach(thread) } else { box.release() }
    return failure
}

import HostSystem
package import ViperKit

extension ViperError {
    static func unfinished(_ library: String, _ path: String, _ failure: RegularFile.Failure) -> Self {
        Self(
            .libraryUnfinished, operation: "cannot load library", subject: library, cause: failure.cause,
            notes: [.init("file", path)],
            fix: "wait until it is complete, then retry"
                + (failure.isOpenForWriting ? "; fuser \(path) shows the process that has it open" : ""))
    }
}

/// The maximum time that a command waits for a library that another process is still writing.
package let libraryTimeout = Duration.seconds(5)

/// Runs a closure. If the closure fails because another process is still writing a library, retries it until it
/// succeeds or the timeout expires.
///
/// - Parameters:
///   - timeout: The maximum time to retry.
///   - work: The closure, which may block its thread.
/// - Throws: The error that the last attempt throws. If the library is not complete in time, the error is
///   ``ViperError/Code/libraryUnfinished``.
package func whenFinished<Value: Sendable>(
    within timeout: Duration = libraryTimeout, _ work: @escaping @Sendable () throws(ViperError) -> Value
) async throws(ViperError) -> Value {
    let end = ContinuousClock.now + timeout
    while true {
        do { return try await BlockingWork.run(work) } catch {
            guard error.code == .libraryUnfinished, ContinuousClock.now < end, !Task.isCancelled else { throw error }
        }
        // If the task is cancelled, the next attempt is the last.
        try? await Task.sleep(for: .milliseconds(20))
    }
}

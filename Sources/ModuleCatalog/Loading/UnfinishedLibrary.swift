import HostSystem
import ViperKit

extension ViperError {
    static func unfinished(_ library: String, _ path: String, _ failure: RegularFile.Failure) -> Self {
        Self(
            .libraryUnfinished, "cannot load library", library, cause: failure.cause, notes: [.init("file", path)],
            recoverySuggestion: "wait until it is complete, then retry"
                + (failure.isOpenForWriting ? "; fuser \(path) shows the process that has it open" : ""))
    }
}

/// The time for which a command waits for a library that a process is writing.
package let libraryTimeout = Duration.seconds(5)

/// Repeats work that fails because a process is writing a library.
///
/// - Parameters:
///   - patience: The maximum time to repeat the work.
///   - work: The work, which may block its thread.
/// - Throws: The error of the work: ``ViperError/Code/libraryUnfinished`` if the library is not complete in time.
func whenFinished<Value: Sendable>(
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

package import ViperKit

/// Runs a closure with a time limit. If the limit is reached, cancels the closure's task and throws without waiting for
/// the task to finish.
///
/// - Throws: The error that the closure throws, or ``ViperError/Code/timeLimit`` if the limit is reached.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ what: String, _ subject: String,
    _ work: @escaping @Sendable () async throws(ViperError) -> Value
) async throws(ViperError) -> Value {
    let first = OneShot<Result<Value, ViperError>>()
    let task = Task {
        do { first.set(.success(try await work())) } catch let error as ViperError { first.set(.failure(error)) }
    }
    let timer = Task {
        // The sleep throws if it is cancelled because the closure has finished.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        first.set(
            .failure(
                ViperError(
                    .timeLimit, operation: what, subject: subject, cause: "it took longer than \(limit.inSeconds)")))
        task.cancel()
    }
    let result = await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        task.cancel()
    }
    timer.cancel()
    return try result.get()
}

package import ViperKit

/// Runs some work with a time limit. After the limit, the work is cancelled but not awaited.
///
/// - Throws: The error of the work, or ``ViperError/Code/timeLimit``.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ what: String, _ subject: String,
    _ work: @escaping @Sendable () async throws(ViperError) -> Value
) async throws(ViperError) -> Value {
    let first = OneShot<Result<Value, ViperError>>()
    let task = Task {
        do { first.set(.success(try await work())) } catch let error as ViperError { first.set(.failure(error)) }
    }
    let timer = Task {
        // The sleep is cancelled when the work has finished.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        first.set(.failure(ViperError(.timeLimit, what, subject, cause: "it took longer than \(limit)")))
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

import Dispatch
import Synchronization
package import ViperKit

/// Runs some work with a time limit. After the limit, the work is cancelled but not awaited.
///
/// - Throws: The error of the work, or ``ViperError/Code/timeLimit``.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ what: String, _ subject: String,
    _ work: @escaping @Sendable () async throws(ViperError) -> Value
) async throws(ViperError) -> Value {
    let first = FirstAnswer<Result<Value, ViperError>>()
    let task = Task {
        do { first.give(.success(try await work())) } catch let error as ViperError { first.give(.failure(error)) }
    }
    let timer = Task {
        // The sleep is cancelled when the work has finished.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        first.give(.failure(ViperError(.timeLimit, what, subject, cause: "it took longer than \(limit)")))
        task.cancel()
    }
    let result = await withTaskCancellationHandler {
        await first.value
    } onCancel: {
        task.cancel()
    }
    timer.cancel()
    return try result.get()
}

private final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case empty, given
        case waiting(CheckedContinuation<Value, Never>)
        case answered(Value)
    }

    private let state = Mutex(State.empty)

    func give(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty: state = .answered(value)
            case .waiting(let continuation):
                state = .given
                return continuation
            case .answered, .given: break
            }
            return nil
        }
        waiting?.resume(returning: value)
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    if case .answered(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

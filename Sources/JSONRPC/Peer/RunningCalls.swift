import Dispatch
import HostSystem
import Synchronization
import ViperKit

/// The calls of a connection that are still running or whose responses are not queued yet.
final class RunningCalls: Sendable {
    typealias Work = @Sendable () async throws(ViperError) -> any Encodable & Sendable
    typealias Done = @Sendable (Result<any Encodable & Sendable, ViperError>) -> Void

    private struct Call {
        var task: Task<Void, Never>?
        var alarm: Alarm?
        /// The closure that queues the response. Nil once the call is answered or cancelled.
        var done: Done?
        /// True if ``done`` has returned. The response is then queued.
        var isAnswered = false
    }

    private struct State {
        var lastNumber = 0
        /// The number of calls whose work has not returned, including calls that have exceeded their time limit.
        var running = 0
        /// The calls whose work has not returned or whose response is not queued.
        var calls: [Int: Call] = [:]
        var onIdle: (@Sendable () -> Void)?
    }

    private let limits: Limits
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Creates an empty set of calls.
    ///
    /// - Parameters:
    ///   - limits: The limits for the connection.
    ///   - queue: The queue on which time limits are handled.
    init(_ limits: Limits, _ queue: DispatchQueue) { (self.limits, self.queue) = (limits, queue) }

    /// Starts a call. It is answered once, either with its result or with an error at the time limit.
    ///
    /// - Throws: ``ViperError/Code/limitReached`` if too many calls are running. In this case, the handler is not
    ///   called, so the call has no side effects.
    func begin(
        _ method: String, done: @escaping Done, handler: () throws(ViperError) -> Peer.Answer
    ) throws(ViperError) {
        let number = try reserve(done)
        do {
            switch try handler() {
            case .now(let value): end(number, .success(value))
            case .later(let work): start(method, number, work)
            }
        } catch {
            end(number, .failure(error))
        }
    }

    private func reserve(_ done: @escaping Done) throws(ViperError) -> Int {
        let number = state.withLock { state -> Int? in
            if state.running >= limits.calls { return nil }
            state.running += 1
            state.lastNumber += 1
            state.calls[state.lastNumber] = Call(done: done)
            return state.lastNumber
        }
        if let number { return number }
        throw .limitReached("calls", "\(limits.calls) calls of this connection are already running")
    }

    private func start(_ method: String, _ number: Int, _ work: @escaping Work) {
        let task = Task {
            do throws(ViperError) { end(number, .success(try await work())) } catch { end(number, .failure(error)) }
        }
        let alarm = Alarm(after: limits.time, on: queue) { [weak self, limits] in
            let cause = "it took longer than \(limits.time)"
            let recoverySuggestion = "if the call needs more time, start the host with --limit time=SECONDS"
            self?.settle(
                number,
                .failure(
                    ViperError(
                        .timeLimit, "cannot answer", method, cause: cause, recoverySuggestion: recoverySuggestion)))
            task.cancel()
        }
        let isDone = state.withLock { state in
            // A short call may finish before this point.
            if state.calls[number]?.done == nil { return true }
            state.calls[number]?.task = task
            state.calls[number]?.alarm = alarm
            return false
        }
        if isDone { alarm.cancel() }
    }

    private func end(_ number: Int, _ result: Result<any Encodable & Sendable, ViperError>) {
        // The count is updated before the response is sent. A client that has read the response can then make its next
        // call without exceeding the limit.
        state.withLock { $0.running -= 1 }
        settle(number, result)
        state.withLock { _ = $0.calls.removeValue(forKey: number) }
    }

    /// Runs a closure when all calls are answered. If no calls are running, runs it immediately.
    func onIdle(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onIdle = body }
        tellWhenIdle()
    }

    /// Cancels all calls and discards their results.
    func cancelAll() {
        let tasks = state.withLock { state in
            for number in Array(state.calls.keys) {
                state.calls[number]?.alarm?.cancel()
                state.calls[number]?.done = nil
            }
            state.onIdle = nil
            return state.calls.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
    }

    private func settle(_ number: Int, _ result: Result<any Encodable & Sendable, ViperError>) {
        let done = state.withLock { state in
            defer { state.calls[number]?.done = nil }
            state.calls[number]?.alarm?.cancel()
            return state.calls[number]?.done
        }
        guard let done else { return }
        done(result)
        state.withLock { $0.calls[number]?.isAnswered = true }
        tellWhenIdle()
    }

    private func tellWhenIdle() {
        let onIdle = state.withLock { state -> (@Sendable () -> Void)? in
            if state.onIdle == nil || state.calls.values.contains(where: { !$0.isAnswered }) { return nil }
            defer { state.onIdle = nil }
            return state.onIdle
        }
        onIdle?()
    }
}

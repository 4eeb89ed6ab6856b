import Dispatch
import HostSystem
import Synchronization
import ViperKit

/// The calls of a connection that are still running or whose responses are not queued yet.
final class RunningCalls: Sendable {
    typealias Explanation = @Sendable (_ method: String) -> [ViperError.Note]
    typealias Done = @Sendable (Result<any Encodable & Sendable, ViperError>) -> Void

    private struct Call {
        let method: String
        /// The ID of the call. Nil for a notification.
        let id: CallID?
        /// The task that computes the answer. Nil if the answer is computed immediately.
        var task: Task<Void, Never>?
        /// The number of the task's deadline. Nil if there is no task, or if its time is unlimited.
        var deadline: Int?
        var isUnlimited = false
        /// The closure that queues the response. Nil once the call is answered or cancelled.
        var done: Done?
        /// True if ``done`` has returned. The response is then queued.
        var isAnswered = false
        /// True if the work has returned.
        var hasReturned = false
    }

    private struct State {
        var lastNumber = 0
        /// The number of calls whose work has not returned, including calls that have exceeded their time limit.
        var running = 0
        /// The calls that are still running, or whose response is not queued yet.
        var calls: [Int: Call] = [:]
        /// The number of each call in ``calls`` that has an ID.
        var numbers: [CallID: Int] = [:]
        var onIdle: (@Sendable () -> Void)?

        /// Removes a call if it is answered and its work has returned. At the time limit, the work can return on one
        /// thread while another thread is still queueing the response.
        mutating func removeIfOver(_ number: Int) {
            guard let call = calls[number], call.isAnswered, call.hasReturned else { return }
            calls[number] = nil
            if let id = call.id, numbers[id] == number { numbers[id] = nil }
        }
    }

    private let limits: Limits
    /// A closure that is called when a call exceeds its time limit. It returns notes for the error.
    private let explain: Explanation
    private let deadlines: Deadlines
    private let state = Mutex(State())

    /// Creates an empty set of calls.
    ///
    /// - Parameters:
    ///   - limits: The limits for the connection.
    ///   - queue: The queue on which time limits are handled.
    ///   - explain: A closure that is called when a call exceeds its time limit. It returns notes for the error.
    init(_ limits: Limits, _ queue: DispatchQueue, explain: @escaping Explanation) {
        (self.limits, self.explain, deadlines) = (limits, explain, Deadlines(on: queue))
    }

    /// Starts a call. It is answered once, either with its result or with an error at the time limit.
    ///
    /// - Throws: ``ViperError/Code/limitReached`` if too many calls are running. In this case, the handler is not
    ///   called, so the call has no side effects.
    func begin(
        _ method: String, _ id: CallID?, done: @escaping Done, handler: () throws(ViperError) -> Peer.Answer
    ) throws(ViperError) {
        let number = try reserve(method, id, done)
        do {
            switch try handler() {
            case .now(let value): end(number, .success(value))
            case .onMainActor(let work):
                track(
                    number,
                    Task { @MainActor in
                        do throws(ViperError) {
                            let value = try await work()
                            if value.isShort { return end(number, .success(value)) }
                            await endElsewhere(number, .success(value))
                        } catch {
                            await endElsewhere(number, .failure(error))
                        }
                    })
            case .later(let work): track(number, task(number, work))
            case .unlimited(let work): track(number, task(number, work), isUnlimited: true)
            }
        } catch {
            end(number, .failure(error))
        }
    }

    private func task(
        _ number: Int, _ work: @escaping @Sendable () async throws(ViperError) -> any Encodable & Sendable
    ) -> Task<Void, Never> {
        Task {
            do throws(ViperError) { end(number, .success(try await work())) } catch { end(number, .failure(error)) }
        }
    }

    private func reserve(_ method: String, _ id: CallID?, _ done: @escaping Done) throws(ViperError) -> Int {
        let number = state.withLock { state -> Int? in
            if state.running >= limits.calls { return nil }
            state.running += 1
            state.lastNumber += 1
            state.calls[state.lastNumber] = Call(method: method, id: id, done: done)
            if let id { state.numbers[id] = state.lastNumber }
            return state.lastNumber
        }
        if let number { return number }
        throw .limitReached("calls", "\(limits.calls) calls of this connection are already running")
    }

    /// Keeps the task of a call until the call is answered, and cancels it at the call's deadline.
    private func track(_ number: Int, _ task: Task<Void, Never>, isUnlimited: Bool = false) {
        let deadline = isUnlimited ? nil : deadlines.add(after: limits.time) { [weak self] in self?.end(late: number) }
        let isOver = state.withLock { state in
            // A short call may have finished before this point, and the connection may have ended.
            if state.calls[number]?.done == nil { return true }
            state.calls[number]?.task = task
            state.calls[number]?.isUnlimited = isUnlimited
            state.calls[number]?.deadline = deadline
            return isUnlimited && state.onIdle != nil
        }
        if !isOver { return }
        if let deadline { deadlines.remove(deadline) }
        task.cancel()
    }

    /// Cancels the task of a call, because the caller does not need the result. The task's result is the answer.
    func cancel(_ id: CallID) {
        let task = state.withLock { state in state.numbers[id].flatMap { state.calls[$0]?.task } }
        task?.cancel()
    }

    /// Answers a call with an error at its deadline, and cancels its task.
    private func end(late number: Int) {
        guard let call = state.withLock({ $0.calls[number] }), call.done != nil else { return }
        settle(
            number,
            .failure(
                ViperError(
                    .timeLimit, operation: "cannot answer", subject: call.method,
                    cause: "it took longer than \(limits.time.inSeconds)", notes: explain(call.method),
                    fix: "if the call needs more time, start the host with --limit time=SECONDS")))
        call.task?.cancel()
    }

    /// Encodes a call's result and sends the response, on a thread of the cooperative pool.
    @concurrent
    private func endElsewhere(_ number: Int, _ result: Result<any Encodable & Sendable, ViperError>) async {
        end(number, result)
    }

    private func end(_ number: Int, _ result: Result<any Encodable & Sendable, ViperError>) {
        // The count is updated before the response is sent. A client that has read the response can then make its next
        // call without exceeding the limit.
        state.withLock { $0.running -= 1 }
        settle(number, result)
        state.withLock { state in
            state.calls[number]?.hasReturned = true
            state.removeIfOver(number)
        }
    }

    /// Cancels the calls without a time limit, and runs a closure when all calls are answered. If no calls are running,
    /// runs it immediately.
    func onIdle(_ body: @escaping @Sendable () -> Void) {
        let tasks = state.withLock { state in
            state.onIdle = body
            return state.calls.values.filter(\.isUnlimited).compactMap(\.task)
        }
        for task in tasks { task.cancel() }
        tellWhenIdle()
    }

    /// Cancels all calls and discards their results.
    func cancelAll() {
        let calls = state.withLock { state in
            for number in state.calls.keys {
                state.calls[number]?.done = nil
                state.calls[number]?.isAnswered = true
            }
            state.onIdle = nil
            return state.calls.values
        }
        for call in calls {
            if let deadline = call.deadline { deadlines.remove(deadline) }
            call.task?.cancel()
        }
    }

    private func settle(_ number: Int, _ result: Result<any Encodable & Sendable, ViperError>) {
        let (done, deadline) = state.withLock { state in
            defer { state.calls[number]?.done = nil }
            return (state.calls[number]?.done, state.calls[number]?.deadline)
        }
        if let deadline { deadlines.remove(deadline) }
        guard let done else { return }
        done(result)
        state.withLock { state in
            state.calls[number]?.isAnswered = true
            state.removeIfOver(number)
        }
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

import Dispatch
import HostSystem
import Synchronization
package import ViperKit

/// One end of a JSON-RPC connection. It calls methods of the other end, and answers calls from the other end.
///
/// Calls run concurrently in both directions. Responses are sent in the order in which the calls finish.
package final class Peer: Sendable {
    package enum Answer: Sendable {
        case now(any Encodable & Sendable)
        /// An answer that a closure computes in a separate task. The task is cancelled at the `time` limit.
        case later(@Sendable () async throws(ViperError) -> any Encodable & Sendable)
        /// An answer that a closure computes in a separate task, without a time limit. The task is cancelled when the peer
        /// drains.
        case unlimited(@Sendable () async throws(ViperError) -> any Encodable & Sendable)
        /// An answer that a closure computes on the main actor, in a task that starts there. A result that is not short
        /// is encoded on another thread. The task is cancelled at the `time` limit.
        case onMainActor(@MainActor @Sendable () async throws(ViperError) -> any Payload)
    }

    /// A closure that answers calls and receives notifications. The answer to a notification is discarded.
    ///
    /// The handler receives messages one at a time, in order. Work that must be done in this order must start before
    /// the handler returns. A handler must not block, because it uses one of the few threads that handle the events of
    /// all connections.
    package typealias Handler = @Sendable (_ method: String, _ content: MessageContent) throws(ViperError) -> Answer

    struct State {
        /// The unanswered calls, keyed by call ID.
        var asked: [Int: Asked] = [:]
        /// The handlers for late results of cancelled calls, keyed by call ID.
        var late: [Int: LateAnswer] = [:]
        var failure: ViperError?
        /// The cause of the error in the last message, if that message was an error without a call ID. Such an error
        /// means that the other end refuses the connection.
        var refusal: String?
        var isDraining = false
        var answer: Handler?
        var end: (@Sendable (ViperError?) -> Void)?
        var stray: (@Sendable (String) -> Void)?
    }

    /// The range of call IDs. The IDs are random, so that the other end cannot answer a call in advance. They are below
    /// 2^53, because the other end may read a JSON number as a `Double`, which represents integers exactly only up to
    /// 2^53.
    private static let numbers = 1..<(1 << 53)

    /// An unanswered call. The closure is called once.
    struct Asked {
        let finish: @Sendable (Result<MessageContent, ViperError>) -> Void
    }

    struct LateAnswer {
        let take: @Sendable (MessageContent) -> Void
    }

    /// The notification that cancels a call, as in the Language Server Protocol.
    static let cancelMethod = "$/cancelRequest"

    struct Cancel: Codable {
        var id: CallID
    }

    let connection: LineConnection
    let state = Mutex(State())
    let limits: Limits
    let running: RunningCalls
    /// True if calls without the ID of a request get one.
    let namesRequests: Bool
    /// The time limits of this end's calls.
    private let deadlines: Deadlines

    /// Creates one end of a connection. It receives nothing until it is started.
    ///
    /// - Parameters:
    ///   - namesRequests: True to give an ID to each call without one.
    ///   - explain: A closure that is called when an answer exceeds its time limit. It returns notes for the error. It must
    ///     not block.
    package init(
        _ connection: LineConnection, limits: Limits, namesRequests: Bool = false,
        explain: @escaping @Sendable (_ method: String) -> [ViperError.Note] = { _ in [] }
    ) {
        (self.connection, self.limits, self.namesRequests) = (connection, limits, namesRequests)
        running = RunningCalls(limits, connection.queue, explain: explain)
        deadlines = Deadlines(on: connection.queue)
    }

    /// Starts receiving messages.
    ///
    /// - Parameters:
    ///   - answer: The handler for calls and notifications.
    ///   - end: A closure that is called once, after all other closures. It receives the error that ended the
    ///     connection, or nil if this end closed it.
    ///   - stray: A closure that receives a description of each invalid line, and of each response without a matching
    ///     call.
    package func start(
        answer: @escaping Handler, end: @escaping @Sendable (ViperError?) -> Void,
        stray: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        state.withLock { ($0.answer, $0.end, $0.stray) = (answer, end, stray) }
        connection.start(hear: { self.hear($0) }, end: { self.finish($0) })
    }

    /// Ends the connection after the pending output is written. Unanswered calls fail.
    package func close() { connection.close() }

    package func abandon() { connection.abandon() }

    /// Ends the connection because the process at the other end has ended. Messages that have arrived are handled
    /// first.
    package func abandonAfterInput() { connection.abandonAfterInput() }

    /// Refuses new calls, cancels the calls without a time limit, and ends the connection after the running calls are
    /// answered.
    package func drain() {
        state.withLock { $0.isDraining = true }
        // Input that has already been read may still start calls.
        connection.afterInput { self.running.onIdle { self.close() } }
    }

    /// Sends an error and ends the connection. Call this method instead of ``start(answer:end:stray:)``.
    package func refuse(_ error: ViperError) {
        connection.start(hear: { _ in }, end: { _ in })
        answer(.null, .failure(error))
        close()
    }

    /// Calls a method of the other end, and waits for the response. If the task is cancelled or the limit is reached, the
    /// other end cancels its task, too, and `late` can still receive the result.
    ///
    /// The parameters are encoded by the caller. The result is decoded where the connection receives it, so the caller
    /// changes threads only to wait.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait for the response. Nil for no limit.
    ///   - late: A closure that receives the result if it arrives after the call was cancelled.
    /// - Throws: The error in the response, ``ViperError/Code/connectionLost`` if no response can arrive, or
    ///   ``ViperError/Code/callCancelled`` if the task is cancelled or the limit is reached.
    package nonisolated(nonsending) func call<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type, within limit: Duration? = nil,
        late: (@Sendable (Value) -> Void)? = nil
    ) async throws(ViperError) -> Value {
        let number = Int.random(in: Self.numbers)
        let line = try encode(
            CallMessage(id: .number(number), method: method, params: parameters, request: RequestID.current))
        // A failed call has no result to clean up.
        let lateAnswer = late.map { late in LateAnswer { content in (try? content.result(type)).map(late) } }
        var deadline: Int?
        defer { if let deadline { deadlines.remove(deadline) } }
        let answer: Result<Value, ViperError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let asked = Asked { answer in
                    continuation.resume(returning: Result { () throws(ViperError) in try answer.get().result(type) })
                }
                ask(number, line, asked)
                // Before this point, the deadline would find no call to cancel.
                deadline = limit.map { deadlines.add(after: $0) { self.cancel(number, method, lateAnswer) } }
            }
        } onCancel: {
            cancel(number, method, lateAnswer)
        }
        return try answer.get()
    }

    private func cancel(_ number: Int, _ method: String, _ late: LateAnswer?) {
        let asked = state.withLock { state in
            let asked = state.asked.removeValue(forKey: number)
            if asked != nil { state.late[number] = late }
            return asked
        }
        guard let asked else { return }
        // This cannot fail, because the message is short and can always be encoded.
        try? notify(Self.cancelMethod, Cancel(id: .number(number)))
        asked.finish(.failure(Self.cancelled(method)))
    }

    /// Sends a notification.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the parameters cannot be encoded, or
    ///   ``ViperError/Code/limitReached`` if the message exceeds the `pending` limit.
    package func notify(_ method: String, _ parameters: some Encodable & Sendable) throws(ViperError) {
        connection.send(try encode(CallMessage(method: method, params: parameters)))
    }

    func encode(_ message: some Encodable) throws(ViperError) -> [UInt8] {
        let line = try FoundationJSONCoder().encode(message)
        if line.count <= limits.pending { return line }
        throw .limitReached("pending", "a message of \(line.count) bytes is longer than \(limits.pending)")
    }

    private static func cancelled(_ method: String) -> ViperError {
        ViperError(.callCancelled, operation: "cannot call", subject: method, cause: "the call was cancelled")
    }

    private func ask(_ number: Int, _ line: [UInt8], _ asked: Asked) {
        let failure = state.withLock { state -> ViperError? in
            // If the task was cancelled before this point, `onCancel` found no call to remove.
            if let failure = state.failure ?? (Task.isCancelled ? Self.cancelled("the peer") : nil) {
                return failure
            }
            state.asked[number] = asked
            return nil
        }
        if let failure { return asked.finish(.failure(failure)) }
        connection.send(line)
    }

    func settle(_ number: Int, _ answer: MessageContent) {
        let (asked, late) = state.withLock {
            ($0.asked.removeValue(forKey: number), $0.late.removeValue(forKey: number))
        }
        if asked == nil, late == nil { return tellStray("a response to an unknown call") }
        asked?.finish(.success(answer))
        late?.take(answer)
    }

    func tellStray(_ line: String) { state.withLock(\.stray)?(line) }

    package var isOver: Bool { state.withLock { $0.failure != nil } }

    /// Fails all unanswered calls and all later calls.
    ///
    /// - Returns: The failure. If the connection was lost, its cause is the last refusal from the other end, if any.
    ///   The other end cannot change the failure's code, because it may be a hostile module.
    @discardableResult
    func failAll(_ failure: ViperError) -> ViperError {
        let (asked, failure) = state.withLock { state in
            defer { (state.asked, state.late) = ([:], [:]) }
            let refusal = failure.code == .connectionLost ? state.refusal : nil
            let failure = refusal.map { connection.lost($0) } ?? failure
            state.failure = failure
            return (state.asked.values, failure)
        }
        for call in asked { call.finish(.failure(failure)) }
        return failure
    }

    private func finish(_ failure: ViperError?) {
        let reason = failAll(failure ?? connection.lost("the connection was closed"))
        running.cancelAll()
        let end = state.withLock { state in
            defer { (state.end, state.answer, state.stray) = (nil, nil, nil) }
            return state.end
        }
        end?(failure == nil ? nil : reason)
    }
}

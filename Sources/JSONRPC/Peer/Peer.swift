import Dispatch
import HostSystem
import Synchronization
package import ViperKit

/// One end of a JSON-RPC connection: calls the other end, and answers its calls.
///
/// Calls run concurrently in both directions, and are answered in the order in which they are done.
package final class Peer: Sendable {
    /// How a call is answered.
    package enum Answer: Sendable {
        case now(any Encodable & Sendable)
        /// When this is done, in a task of its own, within the limit `time`.
        case later(@Sendable () async throws(ViperError) -> any Encodable & Sendable)
    }

    /// Answers a call or takes a notification, whose answer is not sent. Is called for one after the other in the order in which
    /// they came, so what must keep that order has to begin here. It may take a while: only this connection waits.
    package typealias Handler = @Sendable (_ method: String, _ content: MessageContent) throws(ViperError) -> Answer

    private struct State {
        var asked: [Int: CheckedContinuation<Result<MessageContent, ViperError>, Never>] = [:]
        /// Who takes the answers that nobody waits for any more.
        var late: [Int: LateAnswer] = [:]
        var failure: ViperError?
        var isDraining = false
        var answer: Handler?
        var end: (@Sendable (ViperError?) -> Void)?
        var stray: (@Sendable (String) -> Void)?
    }

    /// The numbers of calls. They are random, so that no answer can be written before its call. A number of JSON may be a `Double`, which
    /// has 53 bits for a whole number.
    private static let numbers = 1..<(1 << 53)

    /// Takes an answer that comes after its call was cancelled.
    private struct LateAnswer {
        let take: @Sendable (MessageContent) -> Void
    }

    private let connection: LineConnection
    private let state = Mutex(State())
    private let limits: Limits
    private let running: RunningCalls

    /// A peer at this connection, which it starts and ends.
    package init(_ connection: LineConnection, limits: Limits) {
        (self.connection, self.limits) = (connection, limits)
        running = RunningCalls(limits, connection.queue)
    }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - end: Is called once, last: with nil after ``close()``, else with the reason why the connection ended.
    ///   - stray: Hears of each answer that no call waits for, and of each line that is no message.
    package func start(
        answer: @escaping Handler, end: @escaping @Sendable (ViperError?) -> Void,
        stray: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        state.withLock { ($0.answer, $0.end, $0.stray) = (answer, end, stray) }
        connection.start(hear: { self.hear($0) }, end: { self.finish($0) })
    }

    /// Ends the connection once what was sent has been read. Calls that wait for an answer fail.
    package func close() { connection.close() }

    /// Ends the connection at once.
    package func abandon() { connection.abandon() }

    /// Takes no calls from now on, and ends the connection when those that are being done have been answered.
    package func drain() {
        state.withLock { $0.isDraining = true }
        // After what is being read at this moment, of which more calls may begin.
        connection.queue.async { self.running.onIdle { self.close() } }
    }

    /// Says why it does not listen, and ends the connection. Instead of ``start(answer:end:)``.
    package func refuse(_ error: ViperError) {
        connection.start(hear: { _ in }, end: { _ in })
        answer(.null, .failure(error))
        close()
    }

    /// Calls a method of the other end.
    ///
    /// - Throws: What the other end answers, ``ViperError/Code/connectionLost`` when none comes any more,
    ///   ``ViperError/Code/callCancelled`` when the task is cancelled meanwhile.
    package func call<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type
    ) async throws(ViperError) -> Value {
        try await call(method, parameters, as: type, late: nil)
    }

    /// Calls a method of the other end.
    ///
    /// - Parameter late: Takes the result that comes after the task was cancelled, if one comes.
    /// - Throws: As the other one.
    package func call<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type,
        late: (@Sendable (Value) -> Void)?
    ) async throws(ViperError) -> Value {
        let number = Int.random(in: Self.numbers)
        let line = try encode(CallMessage(id: .number(number), method: method, params: parameters))
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { ask(number, line, $0) }
        } onCancel: {
            let asked = state.withLock { state in
                let asked = state.asked.removeValue(forKey: number)
                if let late, asked != nil {
                    // What failed leaves nothing to be taken.
                    state.late[number] = LateAnswer { content in (try? content.result(type)).map(late) }
                }
                return asked
            }
            asked?.resume(returning: .failure(Self.cancelled(method)))
        }
        return try answer.get().result(type)
    }

    /// Tells the other end something that it does not answer.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` when the parameters cannot be written, ``ViperError/Code/limitReached`` when
    ///   they are longer than the other end may leave unread.
    package func notify(_ method: String, _ parameters: some Encodable & Sendable) throws(ViperError) {
        connection.send(try encode(CallMessage(method: method, params: parameters)))
    }

    private func encode(_ message: some Encodable) throws(ViperError) -> [UInt8] {
        let line = try FoundationJSONCoder().encode(message)
        if line.count <= limits.pending { return line }
        throw .limitReached("pending", "a message of \(line.count) bytes is longer than \(limits.pending)")
    }

    private static func cancelled(_ method: String) -> ViperError {
        ViperError(.callCancelled, "cannot call", method, cause: "nobody waits for the answer any more")
    }

    private func ask(
        _ number: Int, _ line: [UInt8], _ continuation: CheckedContinuation<Result<MessageContent, ViperError>, Never>
    ) {
        let failure = state.withLock { state -> ViperError? in
            // Who cancelled before this did not find the call.
            if let failure = state.failure ?? (Task.isCancelled ? Self.cancelled("the other end") : nil) {
                return failure
            }
            state.asked[number] = continuation
            return nil
        }
        if let failure { return continuation.resume(returning: .failure(failure)) }
        connection.send(line)
    }

    private func settle(_ number: Int, _ answer: MessageContent) {
        let (asked, late) = state.withLock {
            ($0.asked.removeValue(forKey: number), $0.late.removeValue(forKey: number))
        }
        if asked == nil, late == nil { return tellStray("an answer to a call that was not made") }
        asked?.resume(returning: .success(answer))
        late?.take(answer)
    }

    private func tellStray(_ line: String) { state.withLock(\.stray)?(line) }

    /// True if no call can be answered any more.
    package var isOver: Bool { state.withLock { $0.failure != nil } }

    private func failAll(_ failure: ViperError) {
        let asked = state.withLock { state in
            defer { (state.asked, state.late) = ([:], [:]) }
            state.failure = failure
            return state.asked.values
        }
        for continuation in asked { continuation.resume(returning: .failure(failure)) }
    }

    private func finish(_ failure: ViperError?) {
        failAll(failure ?? connection.lost("the connection was closed"))
        running.cancelAll()
        let end = state.withLock { state in
            defer { (state.end, state.answer, state.stray) = (nil, nil, nil) }
            return state.end
        }
        end?(failure)
    }
}

// What the other end says.
extension Peer {
    private func hear(_ input: LineConnection.Input) {
        switch input {
        case .tooLong:
            tellStray("a line that is too long")
            let error = ViperError.limitReached("message", "a message is longer than \(limits.message) bytes")
            answer(.null, .failure(error))
        case .over:
            failAll(connection.lost("it says nothing more"))
            // It may still listen: who pipes calls into a host waits for the answers.
            running.onIdle { self.close() }
        case .line(let line):
            // An empty line is what a person types to see whether anybody is there.
            if line.allSatisfy({ " \r\t".utf8.contains($0) }) { return }
            do throws(ViperError) {
                try take(MessageContent(line: line))
            } catch {
                tellStray("a line that is no message")
                answer(.null, .failure(error))
            }
        }
    }

    private func take(_ content: MessageContent) throws(ViperError) {
        guard let members = content.members else { return take(content, in: nil) }
        let batch = Batch(longest: limits.pending)
        var isEmpty = true
        for member in members where !batch.isTooLong {
            isEmpty = false
            take(member, in: batch)
        }
        if isEmpty { throw content.invalid("it is an empty array", mend: "write a call, or an array of calls") }
        settle(batch)
    }

    private func take(_ content: MessageContent, in batch: Batch?) {
        let message: Message
        do throws(Message.Refusal) { message = try Message(content) } catch {
            batch?.expect()
            tellStray("a line that is no message")
            return answer(error.id, .failure(error.error), in: batch)
        }
        switch message.kind {
        case .call(let id, let method):
            batch?.expect()
            begin(id, method, message.content, in: batch)
        case .notification(let method): begin(nil, method, message.content, in: batch)
        // An answer to what nobody asked, or that came too late, is nothing to answer.
        case .answer(.number(let number)): settle(number, message.content)
        case .answer: tellStray("an answer to a call that was not made")
        }
    }

    private func begin(_ id: CallID?, _ method: String, _ content: MessageContent, in batch: Batch?) {
        let (handler, isDraining) = state.withLock { ($0.answer, $0.isDraining) }
        guard let handler else { return }
        do throws(ViperError) {
            if isDraining {
                throw ViperError(.hostEnding, "cannot call", method, cause: "the host takes no calls any more")
            }
            try running.begin(method, done: { self.answer(id, $0, in: batch) }) { () throws(ViperError) in
                try handler(method, content)
            }
        } catch {
            answer(id, .failure(error), in: batch)
        }
    }

    /// Answers a call, by itself or with the others of its batch.
    private func answer(
        _ id: CallID?, _ result: Result<any Encodable & Sendable, ViperError>, in batch: Batch? = nil
    ) {
        // A notification has no answer, also when it failed.
        guard let id else { return }
        do throws(ViperError) {
            let line = try line(id, try result.get())
            if !send(line, in: batch) {
                throw .limitReached("pending", "the answers of a batch are longer than \(limits.pending) bytes")
            }
        } catch {
            // An error is written as it is: it is short, and has no number that JSON cannot write.
            if let line = try? FoundationJSONCoder().encode(ErrorMessage(id: id, error: MessageFailure(error))),
                !send(line, in: batch)
            {
                batch?.dropAll()
            }
        }
        if let batch { settle(batch) }
    }

    /// - Returns: False if the batch has no room.
    private func send(_ line: [UInt8], in batch: Batch?) -> Bool {
        if let batch { return batch.add(line) }
        connection.send(line)
        return true
    }

    private func settle(_ batch: Batch) {
        switch batch.settle() {
        case .line(let line): connection.send(line)
        case .tooLong:
            let cause = "the answers of a batch are longer than \(limits.pending) bytes"
            answer(.null, .failure(.limitReached("pending", cause)))
        case nil: break
        }
    }

    private func line(_ id: CallID, _ value: some Encodable) throws(ViperError) -> [UInt8] {
        try encode(AnswerMessage(id: id, result: value))
    }
}

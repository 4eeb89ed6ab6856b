import HostSystem
import Synchronization
import ViperKit

/// The messages of the other end: lines, batches, calls and responses.
extension Peer {
    func hear(_ input: LineConnection.Input) {
        switch input {
        case .tooLong:
            tellStray("a line that is too long")
            let error = ViperError.limitReached("message", "a message is longer than \(limits.message) bytes")
            answer(.null, .failure(error))
        case .over:
            failAll(connection.lost("it closed its side of the connection"))
            // The other end may still read. For example, a client that pipes calls into the host waits for the
            // responses.
            running.onIdle { self.close() }
        case .line(let line):
            // Ignores empty lines, because users type them to test a connection.
            if line.allSatisfy({ " \r\t".utf8.contains($0) }) { return }
            do throws(ViperError) {
                try take(MessageContent(line: line))
            } catch {
                tellStray("a line that is not a message")
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
        if isEmpty {
            throw content.invalid("it is an empty array", fix: "write a call, or an array of calls")
        }
        settle(batch)
    }

    private func take(_ content: MessageContent, in batch: Batch?) {
        state.withLock { $0.refusal = nil }
        let message: Message
        do throws(Message.Refusal) { message = try Message(content) } catch {
            batch?.expect()
            tellStray("a line that is not a message")
            return answer(error.id, .failure(error.error), in: batch)
        }
        switch message.kind {
        case .call(let id, let method):
            batch?.expect()
            begin(id, method, message, in: batch)
        case .notification(Self.cancelMethod):
            // A notification has no response that could report invalid parameters.
            if let cancel = try? message.content.notification(Cancel.self) { running.cancel(cancel.id) }
        case .notification(let method): begin(nil, method, message, in: batch)
        case .answer(.number(let number)): settle(number, message.content)
        case .answer:
            do throws(ViperError) { _ = try message.content.result(JSONValue.self) } catch {
                state.withLock { $0.refusal = error.cause }
            }
            tellStray("a response to an unknown call")
        }
    }

    private func begin(_ id: CallID?, _ method: String, _ message: Message, in batch: Batch?) {
        // The tasks that answer the call get the ID from this thread.
        RequestID.$current.withValue(message.request ?? (namesRequests ? RequestID.make() : nil)) {
            beginNamed(id, method, message.content, in: batch)
        }
    }

    private func beginNamed(_ id: CallID?, _ method: String, _ content: MessageContent, in batch: Batch?) {
        let (handler, isDraining) = state.withLock { ($0.answer, $0.isDraining) }
        guard let handler else { return }
        do throws(ViperError) {
            if isDraining {
                throw ViperError(
                    .hostEnding, operation: "cannot call method", subject: method, cause: "the host is shutting down")
            }
            try running.begin(method, id, done: { self.answer(id, $0, in: batch) }) { () throws(ViperError) in
                try handler(method, content)
            }
        } catch {
            answer(id, .failure(error), in: batch)
        }
    }

    func answer(
        _ id: CallID?, _ result: Result<any Encodable & Sendable, ViperError>, in batch: Batch? = nil
    ) {
        // A notification has no response, even if it fails.
        guard let id else { return }
        do throws(ViperError) {
            let line = try line(id, try result.get())
            if !send(line, in: batch) {
                throw .limitReached("pending", "the responses to a batch are longer than \(limits.pending) bytes")
            }
        } catch {
            // The error is short, so its length is not checked. Encoding succeeds, because the error contains no number
            // that JSON cannot represent.
            if let line = try? FoundationJSONCoder().encode(ErrorMessage(id: id, error: MessageFailure(error))),
                !send(line, in: batch)
            {
                batch?.dropAll()
            }
        }
        if let batch { settle(batch) }
    }

    /// Sends a line to the other end, or adds the line to a batch.
    ///
    /// - Returns: False if the line does not fit into the batch.
    private func send(_ line: [UInt8], in batch: Batch?) -> Bool {
        if let batch { return batch.add(line) }
        connection.send(line)
        return true
    }

    private func settle(_ batch: Batch) {
        switch batch.settle() {
        case .line(let line): connection.send(line)
        case .tooLong:
            let cause = "the responses to a batch are longer than \(limits.pending) bytes"
            answer(.null, .failure(.limitReached("pending", cause)))
        case nil: break
        }
    }

    private func line(_ id: CallID, _ value: some Encodable) throws(ViperError) -> [UInt8] {
        try encode(AnswerMessage(id: id, result: value))
    }
}

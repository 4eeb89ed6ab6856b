import Synchronization

/// The responses to a JSON-RPC batch, sent as one line after every call is answered.
final class Batch: Sendable {
    enum Answer {
        case line([UInt8])
        case tooLong
    }

    private struct State {
        /// The number of unanswered calls, plus one until the whole batch is read.
        var pending = 1
        var line: [UInt8] = []
        var isTooLong = false
    }

    private let state = Mutex(State())
    private let longest: Int

    /// - Parameter longest: The maximum total length of the responses, in bytes.
    init(longest: Int) { self.longest = longest }

    var isTooLong: Bool { state.withLock(\.isTooLong) }

    /// Adds a call whose response must be followed by ``settle()``.
    func expect() { state.withLock { $0.pending += 1 } }

    /// Adds a response.
    ///
    /// - Returns: False if the response does not fit.
    func add(_ answer: [UInt8]) -> Bool {
        state.withLock { state in
            // The 2 bytes are the separator before the response and the closing bracket.
            guard !state.isTooLong, state.line.count + answer.count + 2 <= longest else { return false }
            state.line.append(UInt8(ascii: state.line.isEmpty ? "[" : ","))
            state.line += answer
            return true
        }
    }

    /// Discards all responses, because even an error does not fit.
    func dropAll() { state.withLock { ($0.line, $0.isTooLong) = ([], true) } }

    /// Marks one call as answered, or the batch as read.
    ///
    /// - Returns: The response to send, once nothing is pending. Nil before that, and for a batch of notifications
    ///   only.
    func settle() -> Answer? {
        state.withLock { state in
            state.pending -= 1
            if state.pending > 0 { return nil }
            if state.isTooLong { return .tooLong }
            return state.line.isEmpty ? nil : .line(state.line + [UInt8(ascii: "]")])
        }
    }
}

import Synchronization

/// The answers to a batch of calls. They are sent together, when all calls have been answered.
final class Batch: Sendable {
    /// What is sent when the last call has been answered.
    enum Answer {
        case line([UInt8])
        /// The answers are longer than the client may leave unread.
        case tooLong
    }

    private struct State {
        /// The calls that were not answered yet, and one more until all of the batch has been read.
        var pending = 1
        var line: [UInt8] = []
        var isTooLong = false
    }

    private let state = Mutex(State())
    private let longest: Int

    /// - Parameter longest: The length of all answers together, in bytes.
    init(longest: Int) { self.longest = longest }

    /// True if the answers are too long already, so that no further call needs to begin.
    var isTooLong: Bool { state.withLock(\.isTooLong) }

    /// Waits for one more answer, which has to come by ``settle()``.
    func expect() { state.withLock { $0.pending += 1 } }

    /// Adds an answer.
    ///
    /// - Returns: False if there is no room for it.
    func add(_ answer: [UInt8]) -> Bool {
        state.withLock { state in
            // With the bracket or comma before it, and the last bracket.
            guard !state.isTooLong, state.line.count + answer.count + 2 <= longest else { return false }
            state.line.append(UInt8(ascii: state.line.isEmpty ? "[" : ","))
            state.line += answer
            return true
        }
    }

    /// Drops all answers, since not even an error has room among them.
    func dropAll() { state.withLock { ($0.line, $0.isTooLong) = ([], true) } }

    /// Notes that a call has been answered, or that the whole batch has been read.
    ///
    /// - Returns: What is to be sent, once. Nil while answers are missing, and for a batch of notifications.
    func settle() -> Answer? {
        state.withLock { state in
            state.pending -= 1
            if state.pending > 0 { return nil }
            if state.isTooLong { return .tooLong }
            return state.line.isEmpty ? nil : .line(state.line + [UInt8(ascii: "]")])
        }
    }
}

import Synchronization

/// The responses to a JSON-RPC batch. They are sent as one line after all calls in the batch are answered.
final class Batch: Sendable {
    enum Answer {
        case line([UInt8])
        case tooLong
    }

    private struct State {
        /// The number of unanswered calls, plus one until the whole batch has been read.
        var pending = 1
        var line: [UInt8] = []
        var isTooLong = false
    }

    private let state = Mutex(State())
    private let longest: Int

    /// Creates an empty batch.
    ///
    /// - Parameter longest: The maximum total length of the responses, in bytes.
    init(longest: Int) { self.longest = longest }

    var isTooLong: Bool { state.withLock(\.isTooLong) }

    /// Adds a call to the batch. After the call is answered, the caller must call ``settle()``.
    func expect() { state.withLock { $0.pending += 1 } }

    /// Adds a response.
    ///
    /// - Returns: True if the response was added. False if it exceeds the maximum length.
    func add(_ answer: [UInt8]) -> Bool {
        state.withLock { state in
            // The 2 bytes are the separator before the response and the closing bracket.
            guard !state.isTooLong, state.line.count + answer.count + 2 <= longest else { return false }
            state.line.append(UInt8(ascii: state.line.isEmpty ? "[" : ","))
            state.line += answer
            return true
        }
    }

    /// Discards all responses. Call this method if not even an error response fits.
    func dropAll() { state.withLock { ($0.line, $0.isTooLong) = ([], true) } }

    /// Marks one call as answered, or the batch as completely read.
    ///
    /// - Returns: The response to send when no calls are pending. Nil if calls are pending, or if the batch contains
    ///   only notifications.
    func settle() -> Answer? {
        state.withLock { state in
            state.pending -= 1
            if state.pending > 0 { return nil }
            if state.isTooLong { return .tooLong }
            return state.line.isEmpty ? nil : .line(state.line + [UInt8(ascii: "]")])
        }
    }
}

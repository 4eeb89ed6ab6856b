package import Dispatch
import HostSystem
import Synchronization
package import ViperKit

/// Lines over descriptors, both ways. Whoever sends or is told waits for nobody.
///
/// Its queue is its own: nothing that another connection or a module does holds it up.
package final class LineConnection: Sendable {
    /// What the other end has said.
    package enum Input: Sendable, Equatable {
        /// A line, without its newline.
        case line([UInt8])
        /// A line that was longer than the limit, and was dropped.
        case tooLong
        /// It says nothing more. It may still listen.
        case over
    }

    private struct State {
        /// Nil when the connection is over.
        var descriptors: Descriptors?
        var hear: (@Sendable (Input) -> Void)?
        var end: (@Sendable (ViperError?) -> Void)?
        var reader: Readiness?
        /// There is one while the other end is slower than this one.
        var writer: Readiness?
        var output = PendingOutput()
        var isClosing = false
    }

    package let queue = DispatchQueue(label: "connection")
    private let state: Mutex<State>
    private let buffer: Mutex<LineBuffer>
    private let limits: Limits
    private let name: String

    /// A connection that owns these descriptors from now on, which may be the same.
    ///
    /// - Parameter name: What errors call the other end.
    package init(reading: Int32, writing: Int32, limits: Limits, name: String = "the other end") {
        self.name = name
        state = Mutex(State(descriptors: Descriptors(reading: reading, writing: writing)))
        buffer = Mutex(LineBuffer(longest: limits.message))
        self.limits = limits
    }

    /// The error that says why the other end cannot be reached any more.
    package func lost(_ cause: String) -> ViperError { .connectionLost(cause, to: name) }

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - hear: Hears what the other end says, in order, one after the other.
    ///   - end: Is called once, last: with nil after ``close()``, else with the reason.
    package func start(
        hear: @escaping @Sendable (Input) -> Void, end: @escaping @Sendable (ViperError?) -> Void
    ) {
        state.withLock { state in
            guard let descriptors = state.descriptors else { return }
            (state.hear, state.end) = (hear, end)
            let reader = Readiness(of: descriptors, .reading, on: queue)
            state.reader = reader
            reader.start { self.read(descriptors) }
        }
    }

    /// Sends a line. What is sent after the end is dropped; too much that waits to be read ends the connection.
    package func send(_ line: [UInt8]) {
        state.withLock { state in
            if state.descriptors == nil || state.isClosing { return }
            state.output.add(line)
            queue.async { self.write() }
        }
    }

    /// Ends the connection, after what is pending has been read by the other end.
    package func close() {
        state.withLock { state in
            state.isClosing = true
            // What comes now would be read by nobody, and said again and again to be there.
            state.reader?.cancel()
            state.reader = nil
        }
        queue.async { self.write() }
    }

    /// Ends the connection at once.
    package func abandon() { queue.async { self.finish(nil) } }

    private func read(_ descriptors: Descriptors) {
        guard let hear = state.withLock({ $0.isClosing ? nil : $0.hear }) else { return }
        var outcome = Descriptors.Outcome.notNow
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
            // The system call writes into the space, and says how much.
            outcome = descriptors.read(into: UnsafeMutableRawBufferPointer(space))
            if case .done(let read) = outcome { count = read }
        }
        switch outcome {
        case .notNow: return
        case .failed(let number): finish(lost(systemReason(number)))
        case .done(0): endInput(descriptors, hear)
        case .done: tell(buffer.withLock { $0.take(bytes) }, to: hear)
        }
    }

    private func tell(_ lines: [[UInt8]?], to hear: @Sendable (Input) -> Void) {
        for line in lines { hear(line.map(Input.line) ?? .tooLong) }
    }

    private func endInput(_ descriptors: Descriptors, _ hear: @Sendable (Input) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.hear = nil }
            state.reader?.cancel()
            state.reader = nil
            return state.hear != nil
        }
        if !isFirst { return }
        tell(buffer.withLock { $0.takeRest() }, to: hear)
        if descriptors.isAbandoned { return finish(lost("it has gone")) }
        hear(.over)
    }

    private func write() {
        let (isOver, failure) = state.withLock { state -> (Bool, ViperError?) in
            guard let descriptors = state.descriptors else { return (false, nil) }
            if let number = state.output.write(to: descriptors) {
                return (true, lost(systemReason(number)))
            }
            if state.output.count > limits.pending {
                return (true, .limitReached("pending", "more than \(limits.pending) bytes wait to be read"))
            }
            observeRoom(&state, descriptors)
            return (state.isClosing && state.output.count == 0, nil)
        }
        if isOver { finish(failure) }
    }

    /// Waits for room as long as there is something to write.
    private func observeRoom(_ state: inout State, _ descriptors: Descriptors) {
        if state.output.count == 0 {
            state.writer?.cancel()
            state.writer = nil
        } else if state.writer == nil {
            let writer = Readiness(of: descriptors, .writing, on: queue)
            state.writer = writer
            writer.start { self.write() }
        }
    }

    private func finish(_ failure: ViperError?) {
        let end = state.withLock { state in
            defer { state.end = nil }
            state.reader?.cancel()
            state.writer?.cancel()
            (state.reader, state.writer, state.descriptors, state.hear) = (nil, nil, nil, nil)
            state.output = PendingOutput()
            return state.end
        }
        end?(failure)
    }
}

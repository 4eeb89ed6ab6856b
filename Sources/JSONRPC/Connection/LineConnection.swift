package import Dispatch
import HostSystem
import Synchronization
package import ViperKit

/// A bidirectional connection that sends and receives lines over file descriptors.
///
/// The methods do not block. Each connection has its own dispatch queue, so other connections and modules cannot delay
/// it.
package final class LineConnection: Sendable {
    package enum Input: Sendable, Equatable {
        case line([UInt8])
        case tooLong
        /// The input has ended. The other end may still read output.
        case over
    }

    private struct State {
        /// The connection's descriptors. Nil once the connection has ended.
        var descriptors: Descriptors?
        var hear: (@Sendable (Input) -> Void)?
        var end: (@Sendable (ViperError?) -> Void)?
        var reader: Readiness?
        /// The input that has been read but not handled yet. The queue handles it next.
        var held: Reading?
        var isClosing = false
        /// The error that ended the connection.
        var failure: ViperError?
    }

    /// The state of sending. It has a lock of its own, because that lock is held while a line is written. The other end
    /// may answer before the write returns, and reading the answer must not wait for the lock.
    private struct Sending {
        /// The connection's descriptors. Nil once the connection has ended.
        var descriptors: Descriptors?
        /// The registration for writing. Nil unless output is waiting for the other end to read.
        var writer: Readiness?
        var output = PendingOutput()
        var isClosing = false
        /// True if the unsent output exceeded the limit. The queue then ends the connection.
        var isOverfull = false
    }

    /// The result of one write.
    private struct Written {
        var isOver = false
        /// The error number of a failed write.
        var errno: Int32?
        var isOverfull = false
        /// The registration that is no longer needed, and a new one.
        var idle: Readiness?
        var waiting: Readiness?
    }

    /// The result of one read.
    private enum Reading {
        case nothing
        case lines([[UInt8]?])
        case end
        case failed(errno: Int32)

        /// True if handling this result takes little time. Batches are excluded, because they can contain many
        /// messages.
        var isShort: Bool {
            switch self {
            case .nothing: true
            case .lines(let lines):
                lines.count <= 1
                    && (lines.first.flatMap { $0 }.map { $0.count <= 1 << 14 && $0.first == UInt8(ascii: "{") } ?? true)
            case .end, .failed: false
            }
        }
    }

    package let queue = DispatchQueue(label: "connection")
    private let state: Mutex<State>
    private let sending: Mutex<Sending>
    private let buffer: Mutex<LineBuffer>
    private let limits: Limits
    private let name: String

    /// Creates a connection that owns two descriptors, which may be the same.
    ///
    /// - Parameter name: The other end's name to show in errors.
    package init(reading: Int32, writing: Int32, limits: Limits, name: String = "the peer") {
        self.name = name
        let descriptors = Descriptors(reading: reading, writing: writing)
        state = Mutex(State(descriptors: descriptors))
        sending = Mutex(Sending(descriptors: descriptors))
        buffer = Mutex(LineBuffer(longest: limits.message))
        self.limits = limits
    }

    package func lost(_ cause: String) -> ViperError { .connectionLost(cause, to: name) }

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - hear: A closure that receives the input in order, one event at a time.
    ///   - end: A closure that is called once, after the last input. It receives the error that ended the connection,
    ///     or nil if this end closed it.
    package func start(
        hear: @escaping @Sendable (Input) -> Void, end: @escaping @Sendable (ViperError?) -> Void
    ) {
        let (descriptors, reader, failure) = state.withLock { state in
            if let descriptors = state.descriptors {
                (state.hear, state.end) = (hear, end)
                if !state.isClosing { state.reader = Readiness(of: descriptors, .reading, on: queue) }
            }
            return (state.descriptors, state.reader, state.failure)
        }
        guard let descriptors else { return queue.async { end(failure) } }
        guard let reader else { return }
        reader.startInPlace {
            let reading = self.read(descriptors)
            if reading.isShort {
                self.take(reading, descriptors)
                return true
            }
            // Handling a lot of input takes time, and must not delay other connections.
            self.state.withLock { $0.held = reading }
            self.queue.async {
                self.takeHeld()
                reader.resume()
            }
            return false
        }
        // The connection may have been closed before the reader was started.
        if state.withLock({ $0.reader !== reader }) { reader.cancel() }
    }

    /// Sends a line without blocking.
    ///
    /// If the connection has ended, the line is discarded. If the unsent output exceeds the `pending` limit, the
    /// connection ends.
    package func send(_ line: [UInt8]) {
        sending.withLock { sending in
            guard let descriptors = sending.descriptors, !sending.isClosing, !sending.isOverfull else { return }
            sending.output.add(line)
            // If the other end has room, the line is written on the caller's thread. The queue handles everything else.
            let failure = sending.output.write(to: descriptors)
            sending.isOverfull = sending.output.count > limits.unsent ?? limits.pending
            // If output was already waiting, `writer` writes the rest when there is room.
            if failure != nil || sending.isOverfull || sending.output.count > 0 && sending.writer == nil {
                queue.async { self.write() }
            }
        }
    }

    /// Ends the connection after the pending output is written.
    package func close() {
        let reader = state.withLock { state in
            state.isClosing = true
            return state.reader.take()
        }
        // Without this call, unread input would trigger the reader repeatedly.
        reader?.cancel()
        sending.withLock { $0.isClosing = true }
        queue.async { self.write() }
    }

    /// Ends the connection immediately and discards the pending output.
    package func abandon() { queue.async { self.finish(nil) } }

    /// Ends the connection because the process at the other end has ended. Input that has arrived is handled first.
    package func abandonAfterInput() {
        queue.async {
            self.readRest()
            self.finish(self.lost("the other process has ended"))
        }
    }

    private func read(_ descriptors: Descriptors) -> Reading {
        if state.withLock({ $0.isClosing || $0.hear == nil }) { return .nothing }
        var outcome = Descriptors.Outcome.notNow
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
            outcome = descriptors.read(into: UnsafeMutableRawBufferPointer(space))
            if case .done(let read) = outcome { count = read }
        }
        switch outcome {
        case .notNow: return .nothing
        case .failed(let number): return .failed(errno: number)
        case .done(0): return .end
        case .done: return .lines(buffer.withLock { $0.take(bytes) })
        }
    }

    /// Runs a closure on the queue after all input that has been read is handled.
    package func afterInput(_ body: @escaping @Sendable () -> Void) {
        queue.async {
            self.takeHeld()
            body()
        }
    }

    /// Handles input that has been read but not yet handled. It must be handled before any later input.
    private func takeHeld() {
        let (reading, descriptors) = state.withLock { state in
            defer { state.held = nil }
            return (state.held, state.descriptors)
        }
        if let reading, let descriptors { take(reading, descriptors) }
    }

    private func take(_ reading: Reading, _ descriptors: Descriptors) {
        guard let hear = state.withLock({ $0.isClosing ? nil : $0.hear }) else { return }
        switch reading {
        case .nothing: return
        case .lines(let lines): tell(lines, to: hear)
        case .end: endInput(descriptors, hear)
        case .failed(let number): finish(lost(systemReason(number)))
        }
    }

    private func tell(_ lines: [[UInt8]?], to hear: @Sendable (Input) -> Void) {
        for line in lines { hear(line.map(Input.line) ?? .tooLong) }
    }

    private func endInput(_ descriptors: Descriptors, _ hear: @Sendable (Input) -> Void) {
        let (isFirst, reader) = state.withLock { state in
            defer { state.hear = nil }
            return (state.hear != nil, state.reader.take())
        }
        reader?.cancel()
        if !isFirst { return }
        tell(buffer.withLock { $0.takeRest() }, to: hear)
        if descriptors.isAbandoned { return finish(lost("it closed the connection")) }
        hear(.over)
    }

    private func write() {
        let written = sending.withLock { sending -> Written in
            guard let descriptors = sending.descriptors else { return Written() }
            if let number = sending.output.write(to: descriptors) { return Written(isOver: true, errno: number) }
            if sending.isOverfull { return Written(isOver: true, isOverfull: true) }
            var written = Written(isOver: sending.isClosing && sending.output.count == 0)
            if sending.output.count == 0 {
                written.idle = sending.writer.take()
            } else if sending.writer == nil {
                sending.writer = Readiness(of: descriptors, .writing, on: queue)
                written.waiting = sending.writer
            }
            return written
        }
        written.idle?.cancel()
        written.waiting?.start { self.write() }
        guard written.isOver else { return }
        var failure = written.errno.map { lost(systemReason($0)) }
        if written.isOverfull {
            failure = .limitReached("pending", "more than \(limits.pending) bytes are waiting to be sent")
        }
        if failure != nil { readRest() }
        finish(failure)
    }

    /// Reads the input that arrived before the other end closed the connection. This input may contain the reason for
    /// closing it.
    private func readRest() {
        takeHeld()
        guard let descriptors = state.withLock({ $0.descriptors }) else { return }
        // The remaining input of a closed connection is at most the content of a socket's buffer. The limit prevents a
        // peer that continues to write from blocking the queue.
        for _ in 0..<16 { take(read(descriptors), descriptors) }
    }

    private func finish(_ failure: ViperError?) {
        // The descriptors are released after the locks, because that closes them.
        let sent = sending.withLock { sending in
            defer { (sending.writer, sending.descriptors, sending.output) = (nil, nil, PendingOutput()) }
            return sending
        }
        sent.writer?.cancel()
        let ended = state.withLock { state in
            defer {
                state = State(isClosing: state.isClosing, failure: state.failure ?? failure)
            }
            return state
        }
        ended.reader?.cancel()
        ended.end?(failure)
    }
}

import Glibc

/// The descriptors of a connection, which are either one socket or two pipes. They are closed when the value is
/// destroyed, and in every forked child.
///
/// This type leaves `O_NONBLOCK` unset. The flag would affect every process that shares the open file, such as the
/// shell on the same terminal. Instead, each call passes `MSG_DONTWAIT` or polls before it reads or writes, so it never
/// blocks.
package final class Descriptors: Sendable {
    package enum Outcome {
        /// The call succeeded and transferred this number of bytes. If a read transferred 0 bytes, the input has ended.
        case done(Int)
        /// The call would block, because no input is available or the output buffer is full.
        case notNow
        case failed(errno: Int32)
    }

    package let reading: Int32
    let writing: Int32

    package init(reading: Int32, writing: Int32) {
        (self.reading, self.writing) = (reading, writing)
        for descriptor in [reading, writing] { CloseOnFork.insert(descriptor) }
    }

    deinit {
        for descriptor in [reading, writing] { CloseOnFork.remove(descriptor) }
        close(reading)
        if writing != reading { close(writing) }
    }

    /// True if the other end has stopped reading. A socket is abandoned only if both directions are closed.
    package var isAbandoned: Bool { events(of: writing, wanted: 0) & (POLLHUP | POLLERR | POLLNVAL) != 0 }

    /// Returns true if an event of epoll(7) or an error is pending. The events have the same values as those of poll(2).
    func isReady(_ descriptor: Int32, for event: UInt32) -> Bool { events(of: descriptor, wanted: Int32(event)) != 0 }

    /// Reads the available bytes without blocking.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let count = repeated { recv(reading, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
        if count >= 0 || errno != ENOTSOCK { return Self.outcome(count) }
        // `poll` also reports the end of the input and errors. In both cases, the following read returns immediately.
        if events(of: reading, wanted: POLLIN) == 0 { return .notNow }
        return Self.outcome(repeated { Glibc.read(reading, buffer.baseAddress, buffer.count) })
    }

    /// Writes as many bytes as possible without blocking.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        // If the other end is closed, the call must fail instead of raising SIGPIPE.
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = repeated { Glibc.send(writing, bytes.baseAddress, bytes.count, flags) }
        if count >= 0 || errno != ENOTSOCK { return Self.outcome(count) }
        if events(of: writing, wanted: POLLOUT) == 0 { return .notNow }
        // A pipe that is ready for writing has room for one page. A larger write could block. SIGPIPE has no effect
        // here, because commands that serve a pipe ignore it.
        return Self.outcome(repeated { Glibc.write(writing, bytes.baseAddress, min(bytes.count, 4096)) })
    }

    private static func outcome(_ count: Int) -> Outcome {
        if count >= 0 { return .done(count) }
        return errno == EAGAIN ? .notNow : .failed(errno: errno)
    }

    /// Calls a closure, and repeats the call each time a signal interrupts it. Returns the result of the last call.
    private func repeated(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private func events(of descriptor: Int32, wanted: Int32) -> Int32 {
        var state = pollfd(fd: descriptor, events: Int16(wanted), revents: 0)
        return poll(&state, 1, 0) < 0 ? 0 : Int32(state.revents)
    }
}

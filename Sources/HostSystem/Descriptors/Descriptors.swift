import Glibc

/// What a connection reads from and writes to: the same socket, or two pipes. Closed when the value goes, and in every forked child.
///
/// Neither is set not to wait: whoever else has it open (a shell its terminal) would find it so too. Each call asks the system
/// instead, and so waits for nobody.
package final class Descriptors: Sendable {
    package enum Outcome {
        /// This many bytes. None is the end of the input.
        case done(Int)
        /// There is nothing to read, or no room to write.
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

    /// Whether the other end has closed both directions, so that nobody reads what is written.
    package var isAbandoned: Bool { events(of: writing, wanted: 0) & (POLLHUP | POLLERR | POLLNVAL) != 0 }

    /// Reads what is there.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        let count = repeated { recv(reading, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
        if count >= 0 || errno != ENOTSOCK { return Self.outcome(count) }
        // Also told of an end and of an error, which reading then says.
        if events(of: reading, wanted: POLLIN) == 0 { return .notNow }
        return Self.outcome(repeated { Glibc.read(reading, buffer.baseAddress, buffer.count) })
    }

    /// Writes as much as there is room for.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        // A vanished reader is an error, and no signal that ends the process.
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = repeated { Glibc.send(writing, bytes.baseAddress, bytes.count, flags) }
        if count >= 0 || errno != ENOTSOCK { return Self.outcome(count) }
        if events(of: writing, wanted: POLLOUT) == 0 { return .notNow }
        // A pipe that is ready has room for a page, and may have for no more. SIGPIPE is ignored where one is served.
        return Self.outcome(repeated { Glibc.write(writing, bytes.baseAddress, min(bytes.count, 4096)) })
    }

    private static func outcome(_ count: Int) -> Outcome {
        if count >= 0 { return .done(count) }
        return errno == EAGAIN ? .notNow : .failed(errno: errno)
    }

    /// Makes a call anew that a signal has interrupted.
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

import Foundation
import Glibc

/// A pseudo-terminal. The child uses one side, and the tests read from and write to the other side.
struct Terminal {
    let childPath: String
    let childSide: Int32
    private let ownSide: Int32

    init() throws {
        var (own, child): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard openpty(&own, &child, &name, nil, nil) == 0 else {
            throw ChildFailure("cannot open a pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        for side in [own, child] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        (ownSide, childSide) = (own, child)
        childPath = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func closeChildSide() { close(childSide) }

    /// Returns all output until the last process closes the terminal. The terminal's line endings are converted back to
    /// newlines.
    func readToEnd() -> Data {
        defer { close(ownSide) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(ownSide, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The read fails with EIO when no process has the child's side open.
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return Data(String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n").utf8)
    }

    func closeOwnSide() { close(ownSide) }

    /// True if the terminal echoes its input.
    var isEchoing: Bool {
        var modes = termios()
        return tcgetattr(ownSide, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Writes a string to the terminal's input. `\u{3}` is Ctrl-C, and `\u{4}` is Ctrl-D.
    func type(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(ownSide, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw ChildFailure("cannot write to the terminal: \(String(cString: strerror(errno)))") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Waits for unread output and returns it.
    ///
    /// - Returns: The output, empty data if no process has the terminal open, or nil if the deadline has passed.
    func read(until deadline: ContinuousClock.Instant) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let left = max(.zero, deadline - .now) / .milliseconds(1)
            var wanted = pollfd(fd: ownSide, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, Int32(left))
            if ready < 0, errno == EINTR { continue }
            if ready == 0 { return nil }
            let count = Glibc.read(ownSide, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Data(buffer[..<max(0, count)])
        }
    }
}

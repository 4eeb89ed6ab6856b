import Foundation
import Glibc

/// A pseudo-terminal: what a child sees as its terminal, and what this process reads from it.
struct Terminal {
    /// The child's side as a file that it can open.
    let childPath: String
    let childSide: Int32
    private let ownSide: Int32

    init() throws {
        var (own, child): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard openpty(&own, &child, &name, nil, nil) == 0 else {
            throw ChildFailure("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        for side in [own, child] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        (ownSide, childSide) = (own, child)
        childPath = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func closeChildSide() { close(childSide) }

    /// Everything that is written to the terminal until nobody holds it any more. A terminal ends lines with a carriage return
    /// and a newline; here they end with a newline, as the program wrote them.
    func readToEnd() -> Data {
        defer { close(ownSide) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(ownSide, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The last holder's end shows as an error, EIO.
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return Data(String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n").utf8)
    }

    func closeOwnSide() { close(ownSide) }

    /// Whether the terminal shows what is typed.
    var isEchoing: Bool {
        var modes = termios()
        return tcgetattr(ownSide, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types, as a person does; `\u{3}` is Ctrl-C and `\u{4}` Ctrl-D.
    func type(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(ownSide, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw ChildFailure("cannot type: \(String(cString: strerror(errno)))") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// What has been written to the terminal and not read yet; waits for it. Empty when nobody holds the terminal any more; nil
    /// when the deadline is over.
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

import Foundation
import Glibc

/// A pseudo-terminal: what a child sees as its terminal, and what this process reads from it.
struct Terminal {
    let childSide: Int32
    private let ownSide: Int32

    init() throws {
        var (own, child): (Int32, Int32) = (-1, -1)
        guard openpty(&own, &child, nil, nil, nil) == 0 else {
            throw ChildFailure("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        for side in [own, child] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        (ownSide, childSide) = (own, child)
    }

    func closeChildSide() { close(childSide) }

    /// Everything that is written to the terminal until nobody holds it any more. A terminal ends lines with a carriage return
    /// and a newline; here they end with a newline, as the program wrote them.
    func readToEnd() -> Data {
        defer { close(ownSide) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(ownSide, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The last holder's end shows as an error, EIO.
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return Data(String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n").utf8)
    }
}

import Foundation
import Glibc
import HostDriver

/// The test's end of a connection, for writing and reading raw bytes.
package final class RawEnd: Sendable {
    package let descriptor: Int32

    /// Returns both ends of a new connection. Pass `other` to a ``LineConnection``, which then closes it.
    package static func pair() throws -> (raw: RawEnd, other: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Tool.Failure(description: "no socket pair: \(errno)")
        }
        return (RawEnd(ends[0]), ends[1])
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Limits the time of each wait, so that a test cannot wait forever.
        var timeout = timeval(tv_sec: Int(Patience.limit / .seconds(1)), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(descriptor) }

    /// Writes a whole text, and waits while the buffer is full.
    ///
    /// - Returns: True if the whole text was written.
    @discardableResult
    package func write(_ text: String) async -> Bool { await write(Array(text.utf8)) }

    @discardableResult
    package func write(_ bytes: [UInt8]) async -> Bool {
        await onOwnThread { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Returns the next line, or nil if the connection is closed or no line arrives in time.
    package func line() async -> String? {
        await onOwnThread { [descriptor] in
            var (line, byte) = ([UInt8](), UInt8(0))
            while true {
                let count = recv(descriptor, &byte, 1, 0)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return nil }
                if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                line.append(byte)
            }
        }
    }

    /// Reads the next line as a JSON-RPC call without parameters, and returns the ID of the call.
    ///
    /// - Throws: ``Tool/Failure`` if the line is not such a call of the given method.
    package func call(_ method: String) async throws -> Int {
        let line = await line() ?? ""
        guard let call = line.wholeMatch(of: /\{"id":(\d+),"jsonrpc":"2\.0","method":"(\w+)","params":\{\}\}/),
            call.2 == method, let number = Int(call.1)
        else { throw Tool.Failure(description: "no call of \(method): \(line)") }
        return number
    }

    /// Closes the connection for writing. Reading is still possible.
    package func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection in both directions, as if the client's process had been killed.
    package func vanish() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

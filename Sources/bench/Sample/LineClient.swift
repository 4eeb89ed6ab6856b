import CSystem
import Glibc

/// A Unix socket client that writes a line and waits for one line in return. Its methods block the thread.
final class LineClient {
    static let ping = line("ping")
    /// The text in an answer that is not an error.
    static let result = #""result""#

    private let descriptor: Int32
    /// The text that the beginning of each expected answer contains.
    private let expected: [UInt8]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Connects to a socket. Waits until the server has created it.
    ///
    /// - Parameter answer: A text in the first bytes of each expected answer.
    init(connectingTo path: String, expecting answer: String = result) throws {
        expected = Array(answer.utf8)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let begin = ContinuousClock.now
        while !Self.connect(descriptor, address) {
            if ContinuousClock.now - begin > .seconds(60) { throw UnexpectedResult("no server at \(path)") }
            usleep(1000)
        }
    }

    deinit { close(descriptor) }

    /// Returns the line of a JSON-RPC call.
    static func line(_ method: String, _ parameters: String? = nil) -> [UInt8] {
        let members = parameters.map { "\"params\":\($0)," } ?? ""
        return Array("{\"jsonrpc\":\"2.0\",\"id\":1,\(members)\"method\":\"\(method)\"}\n".utf8)
    }

    private static func connect(_ descriptor: Int32, _ address: sockaddr_un) -> Bool {
        // `connect` expects a pointer to the generic `sockaddr`, and the size of the specific address type.
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Writes a line. If the server has ended, the next read fails.
    private func write(_ line: [UInt8]) { _ = send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) }

    /// Writes a line and reads one line. Returns false if the connection has ended, or if the answer is not as expected.
    func call(_ line: [UInt8]) -> Bool {
        write(line)
        var isExpected: Bool?
        while let count = read() {
            isExpected = isExpected ?? (memmem(buffer, min(count, 64), expected, expected.count) != nil)
            if buffer[count - 1] == UInt8(ascii: "\n") { return isExpected ?? false }
        }
        return false
    }

    /// Reads the bytes that have arrived. Returns nil if the connection has ended.
    private func read() -> Int? {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? count : nil
    }

    /// Opens a route, and closes its scene unless it is to be kept open. Returns the text of the response.
    func open(_ route: String, keepingOpen: Bool = false) -> String {
        write(Self.line("open", #"{"route":"\#(route)"}"#))
        var bytes: [UInt8] = []
        while bytes.last != 0x0A {
            guard let count = read() else { return "" }
            bytes += buffer[..<count]
        }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        if !keepingOpen, let scene = text.firstMatch(of: /"scene":(\d+)/)?.1 {
            _ = call(Self.line("close", #"{"scene":\#(scene)}"#))
        }
        return text
    }
}

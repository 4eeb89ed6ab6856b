import Foundation
import Glibc
import HostDriver

/// A client of a serving host. Its calls block. Use it from one thread.
final class Client {
    /// A line from the host: an answer or a notification.
    struct Line: Decodable {
        struct Result: Decodable {
            var scene: Int?
            var screen: Shown?
            /// The result of `statistics`, which is a list. Nil for any other method.
            var statistics: [Numbers]?

            private enum Key: CodingKey { case scene, screen }

            init(from decoder: any Decoder) throws {
                guard let content = try? decoder.container(keyedBy: Key.self) else {
                    statistics = try? decoder.singleValueContainer().decode([Numbers].self)
                    return
                }
                scene = try content.decodeIfPresent(Int.self, forKey: .scene)
                screen = try content.decodeIfPresent(Shown.self, forKey: .screen)
            }
        }
        struct Numbers: Decodable {
            var module: String
            var process: Int32?
            var openScenes: Int
            var calls: Int
            var failures: Int
            var retired: Int
            var retiredMemory: Int
        }
        struct Problem: Decodable {
            var message: String
            var data: Details?
        }
        struct Details: Decodable {
            var code: String
            var notes: [Note]?
        }
        struct Note: Decodable {
            var label: String
            var text: String
        }
        struct Change: Decodable {
            var module: String?
            var state: String?
            var generation: Int?
            /// Only in `closed` notifications.
            var scene: Int?
            var error: Details?
        }

        var id: Int?
        var method: String?
        var result: Result?
        var error: Problem?
        var params: Change?
    }

    /// The parts of a screen that scenarios check.
    struct Shown: Decodable {
        struct Section: Decodable { var rows: [Row] }
        struct Row: Decodable { var title: String }
        var title: String
        var text: String?
        var sections: [Section]?
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []
    private var lastID = 0
    /// Notifications that arrived while a call waited for its answer.
    private var notifications: [Line] = []

    init(_ path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { address in
            // All socket address types begin with the fields of sockaddr.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return }
        let cause = String(cString: strerror(errno))
        throw Failure("cannot connect to \(path): \(cause)")
    }

    deinit { close(descriptor) }

    /// Sends a call without waiting for its answer.
    func begin(_ method: String, _ parameters: String = "{}") throws {
        lastID += 1
        try send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
    }

    /// Returns the answer to the last call, which may be an error. Nil if the host sends nothing within the limit.
    func answer(within limit: Duration = Patience.limit) throws -> Line? {
        while let line = try read(within: limit) {
            // An error without an id means that the host refuses the connection.
            if line.id == lastID || (line.id == nil && line.method == nil) { return line }
            notifications.append(line)
        }
        return nil
    }

    /// Calls a method and returns its answer, which may be an error.
    func ask(_ method: String, _ parameters: String = "{}") throws -> Line {
        try begin(method, parameters)
        guard let line = try answer() else { throw Failure("\(method) is not answered within \(Patience.limit)") }
        return line
    }

    /// Calls a method and returns its result. Throws if the answer is an error.
    func call(_ method: String, _ parameters: String = "{}") throws -> Line.Result {
        let answer = try ask(method, parameters)
        guard let result = answer.result else { throw Failure("\(method) failed: \(answer.error?.message ?? "?")") }
        return result
    }

    func open(_ route: String) throws -> (scene: Int, screen: Shown) {
        let result = try call("open", #"{"route":"\#(route)"}"#)
        guard let scene = result.scene, let screen = result.screen else {
            throw Failure("open answers without a screen")
        }
        return (scene, screen)
    }

    func press(_ action: String, in scene: Int) throws -> Shown {
        let result = try call("send", #"{"scene":\#(scene),"event":{"press":"\#(action)"}}"#)
        guard let screen = result.screen else { throw Failure("send answers without a screen") }
        return screen
    }

    /// Waits for a matching notification. Discards all notifications before it.
    func notification(_ isWanted: (Line) -> Bool) throws -> Line {
        while true {
            if let index = notifications.firstIndex(where: isWanted) {
                defer { notifications.removeFirst(index + 1) }
                return notifications[index]
            }
            guard let line = try read(within: Patience.limit) else { throw Failure("the host does not tell of it") }
            notifications.append(line)
        }
    }

    /// Returns true if a matching notification has been read.
    func hasHeard(_ isMeant: (Line) -> Bool) -> Bool { notifications.contains(where: isMeant) }

    /// Returns the host's statistics of the versioned module.
    func numbers() throws -> Line.Numbers {
        let all = try call("statistics").statistics ?? []
        guard let own = all.first(where: { $0.module == VersionedModule.route }) else { throw Failure("no statistics") }
        return own
    }

    private func send(_ line: String) throws {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw Failure("cannot send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    private func read(within limit: Duration) throws -> Line? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return try JSONDecoder().decode(Line.self, from: Data(unread[..<end]))
            }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, Int32(limit / .milliseconds(1)))
            if ready == 0 { return nil }
            let count = ready < 0 ? -1 : recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw Failure("the host has closed the connection") }
            unread += buffer[..<count]
        }
    }
}

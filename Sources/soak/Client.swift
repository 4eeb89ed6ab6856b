import Foundation
import HostDriver

/// A client of a serving host. Its methods block the thread. Use each instance from one thread only.
final class Client {
    /// A line from the host: an answer or a notification.
    struct Line: Decodable {
        struct Result: Decodable {
            var scene: Int?
            var screen: Shown?
            /// The result of `statistics`, which is an array. Nil for all other methods.
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
            /// The scene's ID. Only `closed` notifications contain it.
            var scene: Int?
            var error: Details?
        }

        var id: Int?
        var method: String?
        var result: Result?
        var error: Problem?
        var params: Change?
    }

    /// The parts of a screen that the scenarios check.
    struct Shown: Decodable {
        struct Section: Decodable { var rows: [Row] }
        struct Row: Decodable { var title: String }
        var title: String
        var text: String?
        var sections: [Section]?
    }

    private let path: String
    private var connection: TestClient
    private var lastID = 0
    /// The notifications that arrived while a call was waiting for its answer.
    private var notifications: [Line] = []

    init(_ path: String) throws { (self.path, connection) = (path, try Self.connection(to: path)) }

    private static func connection(to path: String) throws -> TestClient {
        do { return try TestClient(connectingTo: path) } catch { throw Failure("\(error)") }
    }

    /// Sends a request without waiting for its answer.
    func begin(_ method: String, _ parameters: String = "{}") throws {
        do { lastID = try connection.begin(method, parameters) } catch { throw Failure("\(error)") }
    }

    /// Returns the answer to the last request, which may be an error. Returns nil if the host sends nothing within the
    /// limit.
    func answer(within limit: Duration = Patience.limit) throws -> Line? {
        while let line = try read(within: limit) {
            // An error without an ID means that the host has refused the connection.
            if line.id == lastID || (line.id == nil && line.method == nil) { return line }
            notifications.append(line)
        }
        return nil
    }

    /// Calls a method and returns its answer, which may be an error.
    ///
    /// A closed connection counts towards the host's limit until the host has noticed its end. If the host refuses this
    /// client for this reason, the client connects again.
    func ask(_ method: String, _ parameters: String = "{}") throws -> Line {
        let deadline = ContinuousClock.now + Patience.limit
        while ContinuousClock.now < deadline {
            // The host may close a refused connection before the request is sent.
            let sending = Result { try begin(method, parameters) }
            guard let line = try answer() else { break }
            let isRefused = line.id == nil && line.error?.data?.code == "limit-reached"
            if !isRefused {
                try sending.get()
                return line
            }
            connection = try Self.connection(to: path)
        }
        throw Failure("no response to \(method) within \(Patience.limit)")
    }

    /// Calls a method and returns its result.
    ///
    /// - Throws: ``Failure`` if the answer is an error or does not arrive in time.
    func call(_ method: String, _ parameters: String = "{}") throws -> Line.Result {
        let answer = try ask(method, parameters)
        guard let result = answer.result else { throw Failure("\(method) failed: \(answer.error?.message ?? "?")") }
        return result
    }

    func open(_ route: String) throws -> (scene: Int, screen: Shown) {
        let result = try call("open", #"{"route":"\#(route)"}"#)
        guard let scene = result.scene, let screen = result.screen else {
            throw Failure("the response to open has no screen")
        }
        return (scene, screen)
    }

    func press(_ action: String, in scene: Int) throws -> Shown {
        let result = try call("event", #"{"scene":\#(scene),"event":{"press":"\#(action)"}}"#)
        guard let screen = result.screen else { throw Failure("the response to event has no screen") }
        return screen
    }

    /// Waits for a matching notification and returns it. Discards all earlier notifications.
    func notification(_ isWanted: (Line) -> Bool) throws -> Line {
        while true {
            if let index = notifications.firstIndex(where: isWanted) {
                defer { notifications.removeFirst(index + 1) }
                return notifications[index]
            }
            guard let line = try read(within: Patience.limit) else {
                throw Failure("no notification within \(Patience.limit)")
            }
            notifications.append(line)
        }
    }

    /// Returns the host's statistics for the versioned module.
    func numbers() throws -> Line.Numbers {
        let all = try call("statistics").statistics ?? []
        guard let own = all.first(where: { $0.module == VersionedModule.route }) else {
            throw Failure("the statistics do not contain the module")
        }
        return own
    }

    private func read(within limit: Duration) throws -> Line? {
        let line: String?
        do { line = try connection.nextLine(within: limit) } catch { throw Failure("\(error)") }
        return try line.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}

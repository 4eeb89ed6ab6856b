import Glibc
import HostDriver
import Synchronization

/// A subject that measures calls to a serving host over its socket. The floor is an echo server in C.
enum RoundTrip: Subject {
    static let name = "calls"
    static let summary = "Calls to host serve over its socket"

    private static let ping = LineClient.line("ping")
    private static let route = "list"
    private static let open = LineClient.line("open", "{\"route\":\"\(route)\"}")

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let root = try ScratchRoot()
        let host = try await ServingHost(root)
        let (echo, modules) = (try EchoServer(in: root), try BundledModules(root: root.path))
        let isolated = try ScratchRoot()
        let isolatingHost = try await ServingHost(isolated, "--isolate", "company-list")
        return [
            try pings(1, host, echo), try pings(8, host, echo), try scene("", host, floor: 2, modules),
            try scene(", module isolated", isolatingHost, floor: 4, modules),
        ]
    }

    /// Returns a trial in which all clients write their calls before the first answer is read.
    @MainActor
    private static func pings(_ count: Int, _ host: ServingHost, _ echo: EchoServer) throws -> Trial {
        let clients = try (0..<count).map { _ in try LineClient(connectingTo: host.socket) }
        let floors = try (0..<count).map { _ in try LineClient(connectingTo: echo.socket) }
        func loop(_ clients: [LineClient], _ server: AnyObject) -> Loop {
            { count in
                var answers = 0
                while answers < count {
                    let some = clients.prefix(count - answers)
                    for client in some { client.write(ping) }
                    for client in some where !client.read() { return answers }
                    answers += some.count
                }
                withExtendedLifetime(server) {}
                return answers
            }
        }
        return Trial(
            "ping, \(count) client\(count == 1 ? "" : "s")", floor: "an echo server in C",
            subject: loop(clients, host), by: loop(floors, echo))
    }

    /// Returns a trial in which a client opens and closes a scene.
    ///
    /// - Parameter floor: The number of pings of the floor, which also opens and closes the scene in this process.
    @MainActor
    private static func scene(
        _ kind: String, _ host: ServingHost, floor: Int, _ modules: BundledModules
    ) throws -> Trial {
        let (client, pinger) = (try LineClient(connectingTo: host.socket), try LineClient(connectingTo: host.socket))
        var scene = 0
        return Trial(
            "open and close a scene, over the socket\(kind)",
            floor: "\(floor) pings, and the same scene in this process"
        ) { count in
            var closed = 0
            for _ in 0..<count {
                scene += 1
                let close = LineClient.line("close", "{\"scene\":\(scene)}")
                if client.call(open), client.call(close) { closed += 1 }
            }
            withExtendedLifetime(host) {}
            return closed
        } by: { count in
            var answers = 0
            for _ in 0..<count where (0..<floor).allSatisfy({ _ in pinger.call(ping) }) {
                try await modules.openAndClose(route)
                answers += 1
            }
            return answers
        }
    }
}

/// A child process that runs this package's echo server. It exits when its standard input ends.
private final class EchoServer: Sendable {
    let socket: String
    private let input: Int32

    init(in root: ScratchRoot) throws {
        socket = root.folder.path + "/echo"
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw UnexpectedResult("cannot create a pipe") }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[1]
        let child = ChildProcess(Products.folder + "/echo", [socket])
        _ = try ChildProcess.spawning.withLock { _ in
            try child.spawn(at: ends[0], errors: root.folder.path + "/echo.log")
        }
    }

    deinit { close(input) }
}

import HostDriver

/// A subject that measures calls to a serving host over its socket. The floor is an echo server in C.
enum RoundTrip: Subject {
    static let name = "calls"
    static let summary = "Calls to host serve over its socket"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        var trials: [Trial] = []
        for placement in Placement.available {
            let servers = try await Servers(placement)
            trials += try pings(servers) + [servers.scene("", servers.host, floor: 2)]
            trials.append(try servers.scene(", module isolated", servers.isolatingHost, floor: 4))
        }
        return trials
    }

    @MainActor
    private static func pings(_ servers: Servers) throws -> [Trial] {
        let (client, floor) = (try LineClient(connectingTo: servers.host.socket), try servers.echoClient())
        let count = 8
        return try [
            servers.trial("ping", floor: "an echo server in C") { count in
                (0..<count).prefix { _ in client.call(LineClient.ping) }.count
            } by: { count in
                (0..<count).prefix { _ in floor.call(LineClient.ping) }.count
            },
            servers.trial(
                "\(CallingThreads.calls) pings of each of \(count) threads", floor: "an echo server in C",
                calling: { try CallingThreads(count, on: servers.placement.client, connectingTo: servers.host.socket) },
                by: {
                    try CallingThreads(
                        count, on: servers.placement.client, connectingTo: servers.echo.socket,
                        expecting: Servers.echoed)
                }),
        ]
    }
}

/// The servers of one placement.
@MainActor
private final class Servers {
    /// The text in an echo of a call.
    static let echoed = #""method""#

    let placement: Placement
    let host: ServingHost
    let isolatingHost: ServingHost
    let echo: EchoServer
    private let modules: BundledModules

    init(_ placement: Placement) async throws {
        self.placement = placement
        let (root, isolated) = (try ScratchRoot(), try ScratchRoot())
        let place: @Sendable (inout ChildProcess) -> Void = { placement.place(&$0) }
        host = try await ServingHost(root, configure: place)
        isolatingHost = try await ServingHost(isolated, "--isolate", "company-list", configure: place)
        echo = try EchoServer(in: root, configure: place)
        modules = try BundledModules(root: root.path)
    }

    func echoClient() throws -> LineClient { try LineClient(connectingTo: echo.socket, expecting: Self.echoed) }

    /// Returns a trial whose loops run on the client's processor.
    func trial(_ name: String, floor: String, subject: @escaping Loop, by hand: @escaping Loop) -> Trial {
        Trial("\(name), \(placement.name)", floor: floor, subject: placed(subject), by: placed(hand))
    }

    private func placed(_ loop: @escaping Loop) -> Loop {
        { [self] count in try await placement.asClient { try await loop(count) } }
    }

    /// Returns a trial with threads that call both servers.
    func trial(
        _ name: String, floor: String, calling host: @escaping @MainActor () throws -> CallingThreads,
        by echo: @escaping @MainActor () throws -> CallingThreads
    ) throws -> Trial {
        let (threads, floors) = (try host(), try echo())
        return trial(name, floor: floor, subject: { threads.call($0) }, by: { floors.call($0) })
    }

    /// Returns a trial in which a client opens and closes a scene.
    ///
    /// - Parameter floor: The number of pings of the floor, which also opens and closes the scene in this process.
    func scene(_ kind: String, _ host: ServingHost, floor: Int) throws -> Trial {
        let (client, pinger) = (try LineClient(connectingTo: host.socket), try LineClient(connectingTo: host.socket))
        let (route, open) = ("list", LineClient.line("open", #"{"route":"list"}"#))
        var scene = 0
        return trial(
            "open and close a scene\(kind)", floor: "\(floor) pings, and the same scene in this process"
        ) { count in
            var closed = 0
            for _ in 0..<count {
                scene += 1
                let close = LineClient.line("close", #"{"scene":\#(scene)}"#)
                if client.call(open), client.call(close) { closed += 1 }
            }
            return closed
        } by: { [modules] count in
            var answers = 0
            for _ in 0..<count where (0..<floor).allSatisfy({ _ in pinger.call(LineClient.ping) }) {
                try await modules.openAndClose(route)
                answers += 1
            }
            return answers
        }
    }
}

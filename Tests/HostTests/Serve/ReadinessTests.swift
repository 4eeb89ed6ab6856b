import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The time at which a host is ready: when clients reach the modules that serve them at sockets.
@Suite(.fewAtOnce, .hangLimit)
struct ReadinessTests {
    private let root: ScratchRoot
    private let notices: NoticeSocket

    init() throws {
        root = try ScratchRoot()
        notices = try NoticeSocket(root.folder.path + "/notify")
    }

    private func serve() async throws -> ServingHost {
        try await ServingHost(root, environment: ["NOTIFY_SOCKET": notices.name])
    }

    private func state(_ client: TestClient) async throws -> String? {
        try await client.call("modules").firstMatch(of: /"run":"(\w+)"/).map { String($0.1) }
    }

    private static let late =
        "host: warning: module listener 1.0.0 does not answer at a socket 10 s after its start\n"

    /// Returns true if a host that was started at a time may have waited for ten seconds, because the machine is busy.
    private func isDue(_ begin: ContinuousClock.Instant) -> Bool { .now >= begin + .seconds(10) }

    private func sockets(of host: ServingHost) throws -> Int {
        let folder = "/proc/\(host.process)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            return link?.hasPrefix("socket:") == true
        }
    }

    @Test("A host is ready when a module that runs accepts connections at its socket, and not before")
    func accepting() async throws {
        try await root.add(.listener(), .listener)
        let begin = ContinuousClock.now
        let host = try await serve()
        let client = try host.client()
        #expect(try await eventually { try await ["starting", "running"].contains(state(client)) })
        let isStarting = try await state(client) == "starting"
        #expect(isStarting || isDue(begin))
        let before = try sockets(of: host)
        try root.folder.write("", to: "tmp/open")
        #expect(try await eventually { try sockets(of: host) > before })
        let isWaiting = try await state(client) == "starting" && !notices.hasNotice
        #expect(isWaiting || isDue(begin))
        try root.folder.write("", to: "tmp/accept")
        #expect(try await notices.next() == "READY=1")
        #expect(try await eventually { try await state(client) == "running" })
    }

    @Test("A host does not wait for a module whose work has ended", arguments: ["return", "throw Fault()"])
    func ended(run: String) async throws {
        try await root.add(.listener("if true { \(run) }"), .listener)
        let host = try await serve()
        #expect(try await notices.next() == "READY=1")
        #expect(!host.log.contains("does not answer at a socket"), "\(host.log)")
    }

    @Test("A host waits ten seconds for a module that opens no socket, and says so", .long)
    func late() async throws {
        try await root.add(.listener(), .listener)
        let host = try await serve()
        #expect(try await notices.next() == "READY=1")
        try await host.wait(forLog: Self.late)
        #expect(try await eventually { try await state(host.client()) == "running" })
    }

    @Test("A host that ends while it waits is not ready")
    func ending() async throws {
        try await root.add(.listener(), .listener)
        let begin = ContinuousClock.now
        let host = try await serve()
        let client = try host.client()
        #expect(try await eventually { try await ["starting", "running"].contains(state(client)) })
        let isStarting = try await state(client) == "starting"
        #expect(isStarting || isDue(begin))
        host.send(SIGTERM)
        if try await notices.next() != "STOPPING=1" {
            #expect(isDue(begin))
            #expect(try await notices.next() == "STOPPING=1")
        }
        #expect(try await host.end() == .code(0))
        #expect(!notices.hasNotice)
    }
}

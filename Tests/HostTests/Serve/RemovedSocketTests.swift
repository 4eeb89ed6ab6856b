import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// A serving host whose socket another program removes, as programs do that clean up temporary folders.
@Suite(.fewAtOnce, .hangLimit)
struct RemovedSocketTests {
    private let root: ScratchRoot

    init() throws { root = try ScratchRoot() }

    private func isReached(at socket: String) async -> Bool {
        guard let client = try? TestClient(connectingTo: socket) else { return false }
        return (try? await client.call("ping"))?.contains(#""result""#) == true
    }

    @Test(
        "A removed socket is opened again, also without its lock file, and the log says so", arguments: [false, true])
    func again(removesLock: Bool) async throws {
        let host = try await ServingHost(root)
        let before = try host.client()
        for count in 1...2 {
            #expect(unlink(host.socket) == 0)
            if removesLock { #expect(unlink(host.socket + ".lock") == 0) }
            #expect(await eventually { await isReached(at: host.socket) })
            let line = "host: another program has removed the socket \(host.socket); it is open again\n"
            #expect(await eventually { host.log.components(separatedBy: line).count == count + 1 }, "\(host.log)")
            // The connections of earlier clients continue.
            #expect(try await before.call("ping").contains("result"))
        }
        let mode = try FileManager.default.attributesOfItem(atPath: host.socket)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try await root.host("serve", "--socket", host.socket)
        #expect(second.ending == .code(73) && second.errors.contains("another host already listens"), "\(second)")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let left = try FileManager.default.contentsOfDirectory(atPath: root.folder.path)
        #expect(!left.contains { $0.hasPrefix("socket") }, "\(left)")
    }

    @Test("If another host has taken the path, the log says so, and that host keeps its socket")
    func taken() async throws {
        let host = try await ServingHost(root)
        // Otherwise, the host could open the socket again before the other one starts.
        host.send(SIGSTOP)
        for name in ["socket", "socket.lock"] { #expect(unlink("\(root.folder.path)/\(name)") == 0) }
        let other = try await ServingHost(root)
        host.send(SIGCONT)
        try await host.wait(forLog: "and it cannot be opened again: another host already listens on it; ")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        #expect(await isReached(at: other.socket))
        let third = try await root.host("serve", "--socket", other.socket)
        #expect(third.ending == .code(73), "\(third)")
    }

    @Test("The record of the host is written again")
    func record() async throws {
        let host = try await ServingHost(root)
        let folder = root.folder.path + "/run"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        #expect(unlink("\(folder)/\(name)") == 0)
        #expect(await eventually { (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) == text })
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }
}

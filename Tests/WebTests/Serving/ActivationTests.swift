import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// A host that a service manager starts when the first browser connects.
@Suite(.fewAtOnce, .hangLimit)
struct ActivationTests {
    @Test("A socket of the service manager is used, also by the next version of the module", .needs(.socketActivation))
    func activate() async throws {
        let root = try await WebHost.root()
        let port = try Self.freePort()
        let address = "127.0.0.1:\(port)"
        // The first connection starts the host, which answers it.
        let first = Task {
            while true {
                let connection = try? WebConnection(port: port)
                if let answer = try? await connection?.request("GET", "/healthz", ["Host": "probe"]) { return answer }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let host = try await ServingHost(root, "--state", root.folder.path + "/state") { child in
            let variables = child.environment.map { "--setenv=\($0.key)=\($0.value)" }
            let arguments = child.arguments + ["--set", "web.listen=\(address)"]
            child.arguments = ["--listen=\(address)"] + variables + [child.program] + arguments
            child.program = "systemd-socket-activate"
        }
        #expect(try await first.value.status == 200)
        try await host.wait(forLog: "web: info: serving pages on http://\(address)/\n")
        // A new version takes the socket over, which the module could not open again.
        let staged = root.folder.path + "/staged.json"
        let manifest = "\(root.path)/Manifests/web.json"
        var text = try String(contentsOfFile: manifest, encoding: .utf8)
        text.replace("\"1.0.0\"", with: "\"1.0.1\"")
        try text.write(toFile: staged, atomically: false, encoding: .utf8)
        #expect(rename(staged, manifest) == 0)
        let isServing = await eventually { host.log.matches(of: /serving pages on/).count == 2 }
        #expect(isServing, "\(host.log)")
        #expect(try await WebConnection(port: port).request("GET", "/healthz", ["Host": "probe"]).status == 200)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    /// Returns a port that nobody used a moment ago.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        if result != 0 { throw ChildFailure("no free port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }
}

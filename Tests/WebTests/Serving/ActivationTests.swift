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
            await eventually {
                let connection = try? WebConnection(port: port)
                return (try? await connection?.request("GET", "/healthz", ["Host": "probe"]))?.status == 200
            }
        }
        defer { first.cancel() }
        let host = try await ServingHost(root, "--state", root.folder.path + "/state") { child in
            let variables = child.environment.map { "--setenv=\($0.key)=\($0.value)" }
            let arguments = child.arguments + ["--set", "web.listen=\(address)"]
            child.arguments = ["--listen=\(address)"] + variables + [child.program] + arguments
            child.program = "systemd-socket-activate"
        }
        #expect(await first.value)
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

    /// Passes sockets on as a service manager does, and replaces itself by the program in its arguments. A TCP socket at
    /// the port that it prints, a Unix socket, a UDP socket, a socket that does not listen, and another TCP socket.
    private static let manager = """
        import os, socket, sys
        path, program = sys.argv[1], sys.argv[2:]
        sockets = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
        other = socket.create_server(("127.0.0.1", 0))
        sockets[1].bind(path)
        sockets[1].listen()
        sockets += [socket.socket(type=socket.SOCK_DGRAM), socket.socket(), other]
        port = sockets[0].getsockname()[1]
        copies = [os.dup2(s.fileno(), 20 + n) for n, s in enumerate(sockets)]
        for n, copy in enumerate(copies): os.dup2(copy, 3 + n)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(sockets)), LISTEN_FDNAMES="a:b:c:d:e")
        os.closerange(3 + len(sockets), 64)
        os.execv(program[0], [word.replace("PORT", str(port)) for word in program])
        """

    @Test("A name of the same address finds the socket, and sockets that no module can use are closed", .needs(.python))
    func unusable() async throws {
        let root = try await WebHost.root()
        let path = root.folder.path + "/unused"
        let host = try await ServingHost(root, "--state", root.folder.path + "/state") { child in
            child.arguments = ["-c", Self.manager, path, child.program] + child.arguments
            child.arguments += ["--set", "web.listen=localhost:PORT"]
            child.program = "/usr/bin/python3"
        }
        try await host.wait(forLog: "web: info: serving pages on http://")
        let port = try #require(
            host.log.firstMatch(of: /serving pages on http:\/\/\S+:(\d+)\/\n/).flatMap { UInt16($0.1) })
        #expect(try await WebConnection(port: port).request("GET", "/healthz", ["Host": "probe"]).status == 200)
        let connect = "import socket, sys; print(socket.socket(socket.AF_UNIX).connect_ex(sys.argv[1]))"
        let result = try await Tool.run("/usr/bin/python3", ["-c", connect, path])
        #expect(result == "\(ECONNREFUSED)\n")
        #expect(host.log.contains("host: warning: closed 3 descriptors of the service manager, "), "\(host.log)")
        // Nobody answers the clients of the last one.
        let unused = /host: warning: no module uses the socket 127\.0\.0\.1:(\d+) of the service manager,/
        #expect(await eventually { host.log.firstMatch(of: unused).map { $0.1 != "\(port)" } ?? false }, "\(host.log)")
        #expect(host.log.matches(of: unused).count == 1)
    }

    /// Returns a port that nobody used a moment ago.
    static func freePort() throws -> UInt16 {
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

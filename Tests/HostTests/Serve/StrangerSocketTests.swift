import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Attacks by another user on the socket between host and client. Each end checks the user of the other end.
@Suite(.fewAtOnce, .hangLimit, .needs(.strangers), .needs(.systemPython))
struct StrangerSocketTests {
    /// Returns a Python program that runs as another user. Uses the system's Python, because that user may be unable to
    /// read others.
    private static func python(_ arguments: [String]) -> ChildProcess {
        Stranger.program("/usr/bin/python3", arguments)
    }

    /// Creates a folder in which every user may create files.
    private func openFolder(_ scratch: ScratchFolder) throws -> String {
        let path = scratch.path + "/open"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(chmod(path, 0o777) == 0)
        return path
    }

    @Test(
        "A client sends nothing to another user's server, and the error names the user",
        arguments: [(0, "root (uid 0)"), (Stranger.victim, "uid 54322 or root")])
    func server(victim: uid_t, expected: String) async throws {
        let scratch = try ScratchFolder()
        let socket = try openFolder(scratch) + "/socket"
        let program = """
            import os, socket, sys
            os.umask(0)
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1])
            server.listen()
            print("listens", flush=True)
            client = server.accept()[0]
            print(client.recv(65536), flush=True)
            """
        let server = try Companion(Self.python(["-c", program, socket]))
        #expect(try await server.line() == "listens")
        let arguments = ["run", "login", "--fill", "password=secret", "--via", socket]
        let result = try await Stranger.program(Products.host, arguments, as: victim).run()
        #expect(try await server.line() == "b''")
        #expect(
            result.errors == """
                host: cannot use the host at "\(socket)": it runs as uid 54321, expected \(expected)
                  fix: give the socket of a host that you started, with --via or --socket

                """)
        #expect(result.ending == .code(69) && result.text == "", "\(result)")
    }

    @Test("A host answers no call of another user, whatever the socket's mode, and keeps running")
    func client() async throws {
        let host = try await ServingHost(try ScratchRoot())
        #expect(chmod(host.socket, 0o666) == 0)
        let program = """
            import socket, sys
            client = socket.socket(socket.AF_UNIX)
            client.connect(sys.argv[1])
            client.settimeout(60)
            try: client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"routes"}\\n')
            except OSError: pass
            print(client.recv(65536).decode())
            """
        for _ in 1...3 {
            let result = try await Self.python(["-c", program, host.socket]).run()
            #expect(result.text.contains(#""code":"peer-untrusted""#) && !result.text.contains("company"), "\(result)")
        }
        try await host.wait(
            forLog: #"host: cannot serve "a client": it runs as uid 54321, expected root (uid 0)"# + "\n")
        #expect(try await host.client().call("routes").contains("list"))
    }

    @Test("Another user's lock file is reported with its owner", arguments: [0, Stranger.victim])
    func ownedLock(victim: uid_t) async throws {
        let root = try ScratchRoot()
        let socket = try openFolder(root.folder) + "/socket"
        try await Stranger.run("umask 077; : > \(socket).lock")
        let result = try await Stranger.program(
            Products.host, ["serve", "--socket", socket, "--root", root.path], as: victim
        ).run()
        #expect(
            result.errors.hasSuffix(
                """
                host: cannot use socket "\(socket)": its lock file \(socket).lock belongs to uid 54321
                  fix: remove it with rm \(socket).lock, or give a path in a folder that only you can change

                """), "\(result)")
        #expect(result.ending == .code(73))
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("A lock that another user holds is reported with the process and its user")
    func heldLock() async throws {
        let root = try ScratchRoot()
        let socket = try openFolder(root.folder) + "/socket"
        let lock = try root.folder.write("", to: "open/socket.lock")
        #expect(chmod(lock, 0o666) == 0)
        let program = """
            import fcntl, os, sys
            file = open(sys.argv[1])
            fcntl.flock(file, fcntl.LOCK_EX)
            print(os.getpid(), flush=True)
            sys.stdin.read()
            """
        let holder = try Companion(Self.python(["-c", program, lock]))
        let process = try await holder.line()
        let result = try await root.host("serve", "--socket", socket)
        #expect(
            result.errors == """
                host: cannot use socket "\(socket)": process \(process) of uid 54321 holds its lock file \(lock)
                  fix: remove it with rm \(lock), or give a path in a folder that only you can change

                """)
        #expect(result.ending == .code(73))
        withExtendedLifetime(holder) {}
    }

    @Test(
        "A socket left by another user is not used, and the error names the user",
        arguments: [
            (0o755, "the socket belongs to uid 54321"),
            (0o777, "a socket of uid 54321 exists, and cannot be removed: Operation not permitted"),
        ] as [(mode_t, String)])
    func leftSocket(mode: mode_t, cause: String) async throws {
        let root = try ScratchRoot()
        let folder = try openFolder(root.folder)
        // In this folder only the owner of a file or of the folder may remove the file.
        #expect(chmod(folder, 0o1777) == 0 && chown(folder, Stranger.user, Stranger.user) == 0)
        let socket = folder + "/socket"
        let program = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
        let left = try await Self.python(["-c", program, socket]).run()
        #expect(left.ending == .code(0), "\(left)")
        #expect(chmod(socket, mode) == 0)
        let result = try await Stranger.program(
            Products.host, ["serve", "--socket", socket, "--root", root.path], as: Stranger.victim
        ).run()
        #expect(result.ending == .code(73))
        #expect(result.errors.contains("\"\(socket)\": \(cause)\n"), "\(result)")
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// The children and the scratch folders of `bench` and `soak` when a signal ends the program.
@Suite(.fewAtOnce, .hangLimit)
struct EndingTests {
    /// Each program runs for minutes.
    private static let programs = [["bench", "memory", "growth"], ["soak", "--built", "latency", "endurance"]]

    @Test(
        "A signal ends a program with its children, without an error, and the scratch folders are removed",
        arguments: programs, [SIGHUP, SIGINT, SIGTERM])
    func signal(words: [String], number: Int32) async throws {
        let (root, session) = try await Self.serving(words)
        try number == SIGINT ? session.type("\u{3}") : session.send(number)
        let (ending, shown) = try await session.end()
        #expect(ending == .code(128 + number))
        #expect(shown == (number == SIGINT ? "^C" : ""))
        #expect(try await eventually { try Self.hosts(of: root) == [] })
        #expect(try root.temporaryFolders() == [])
    }

    @Test("After a program was killed, its children end and its scratch folders are removed", arguments: programs)
    func killed(words: [String]) async throws {
        let (root, session) = try await Self.serving(words)
        session.send(SIGKILL)
        #expect(try await session.end().ending == .signal(SIGKILL))
        #expect(try await eventually { try Self.hosts(of: root) == [] })
        #expect(await eventually { (try? root.temporaryFolders()) == [] })
    }

    /// Starts a program in a terminal, and waits until it measures calls to a serving host.
    private static func serving(_ words: [String]) async throws -> (ScratchRoot, TerminalSession) {
        let root = try ScratchRoot()
        let session = try root.terminal { child in
            (child.program, child.arguments) = ("\(Products.folder)/\(words[0])", Array(words.dropFirst()))
        }
        // A call of a client fails as soon as the host ends. Without a client, the host has two sockets.
        try #require(await eventually { (try? hosts(of: root).contains { sockets(of: $0) > 2 }) == true })
        return (root, session)
    }

    private static func sockets(of process: String) -> Int {
        let folder = "/proc/\(process)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.count { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
            return target?.hasPrefix("socket:") == true
        }
    }

    /// Returns the running hosts whose root is in the temporary folder of this root.
    private static func hosts(of root: ScratchRoot) throws -> [String] {
        let path = Data("\0serve\0--root\0\(root.temporary)/".utf8)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { number in
            let words = try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))
            return words?.range(of: path) != nil
        }
    }
}

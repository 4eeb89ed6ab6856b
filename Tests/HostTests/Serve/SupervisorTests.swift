import Foundation
import HostDriver
import TestSupport
import Testing

/// The child processes and the environment of a worker.
@Suite(.fewAtOnce, .hangLimit)
struct SupervisorTests {
    enum Ending: CaseIterable { case workerKilled, hostKilled, hostStopped }

    @Test(
        "A process that a module moves into its own session ends with the worker and with the host",
        arguments: Ending.allCases)
    func escaped(_ ending: Ending) async throws {
        let scene = try await HostileScene(.escaping, isolated: true)
        #expect(try await scene.strike().contains("came through 1"))
        #expect(try processes(of: scene, named: "escaped").count == 1)
        switch ending {
        case .workerKilled:
            kill(try #require(try await worker(of: scene)), SIGKILL)
            #expect(try await scene.client.line(with: #""method":"closed""#).contains("signal 9"))
            #expect(try processes(of: scene, named: "escaped") == [])
            try await scene.expectOthersGoOn()
        case .hostKilled:
            scene.host.send(SIGKILL)
            #expect(try await scene.host.end() == .signal(SIGKILL))
            #expect(try await eventually { try processes(of: scene).isEmpty })
        case .hostStopped:
            scene.host.send(SIGTERM)
            #expect(try await scene.host.end() == .code(0))
            #expect(try processes(of: scene) == [])
        }
    }

    @Test("A process that a library starts while it is probed ends with the probe")
    func probe() async throws {
        let scene = try await HostileScene(.fleeing, isolated: false)
        #expect(try await scene.strike().contains("library-quarantined"))
        #expect(try processes(of: scene, named: "escaped") == [])
    }

    @Test("A worker whose supervisor is killed ends, and the next call gets a new worker")
    func withoutSupervisor() async throws {
        let scene = try await HostileScene(.nothing, isolated: true)
        #expect(try await scene.strike().contains(#""title":"Hostile""#))
        let first = try #require(try await worker(of: scene))
        kill(try #require(parent(of: first)), SIGKILL)
        #expect(try await scene.client.line(with: #""method":"closed""#).contains("signal 9"))
        #expect(try await scene.open("hostile").contains(#""title":"Hostile""#))
        #expect(try await worker(of: scene) != first)
        #expect(parent(of: first) == nil)
    }

    @Test("A host whose worker has a stopped supervisor exits on SIGTERM", arguments: [false, true])
    func stopped(isWorkerKilled: Bool) async throws {
        let scene = try await HostileScene(.nothing, isolated: true)
        #expect(try await scene.strike().contains(#""title":"Hostile""#))
        let worker = try #require(try await worker(of: scene))
        kill(try #require(parent(of: worker)), SIGSTOP)
        if isWorkerKilled { kill(worker, SIGKILL) }
        scene.host.send(SIGTERM)
        #expect(try await scene.host.end() == .code(0))
        #expect(try processes(of: scene) == [])
    }

    @Test("A worker inherits only the standard variables and those that host.json lists")
    func environment() async throws {
        let root = try ScratchRoot()
        try root.folder.write(#"{"workerEnvironment": ["API_HOST", "ABSENT"]}"#, to: "root/host.json")
        let host = try await ServingHost(
            root, "--isolate", "company-list",
            environment: [
                "API_TOKEN": "secret", "API_HOST": "named", "LD_LIBRARY_PATH": "/nonexistent", "LC_ALL": "C",
                "https_proxy": "http://localhost:1", "XDG_STATE_HOME": root.folder.path + "/state",
            ])
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"list"}"#).contains(#""title":"People by company""#))
        let worker = try #require(try await client.workers().first)
        let supervisor = try #require(parent(of: pid_t(worker)))
        for process in [Int32(worker), supervisor] {
            let text = try String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
            let names = text.split(separator: "\0").compactMap { $0.split(separator: "=").first.map(String.init) }
            #expect(
                Set(names).subtracting(["PATH", "HOME"])
                    == ["API_HOST", "LC_ALL", "https_proxy", "SWIFT_BACKTRACE", "TMPDIR"])
        }
    }

    private func worker(of scene: HostileScene) async throws -> pid_t? {
        try await scene.client.workers().first.map { pid_t($0) }
    }

    private func parent(of process: pid_t) -> pid_t? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // A process that has ended is a zombie until its parent reaps it.
        let words = text?.split(separator: ")").last?.split(separator: " ") ?? []
        return words.first == "Z" || words.count < 2 ? nil : pid_t(words[1])
    }

    /// Returns the processes of a scene's host and all that they have started, found by the `TMPDIR` in their
    /// environment.
    private func processes(of scene: HostileScene, named name: String? = nil) throws -> [String] {
        let path = Data(scene.root.folder.path.utf8)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { number in
            let environment = try? Data(contentsOf: URL(filePath: "/proc/\(number)/environ"))
            let title = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
            return environment?.range(of: path) != nil && (name == nil || title == name.map { $0 + "\n" })
        }
    }
}

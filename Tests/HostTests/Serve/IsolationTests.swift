import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct IsolationTests {
    private let root: ScratchRoot
    private let state: [String: String]

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    private static let crash = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"

    private func waitForEnd(of process: Int) async {
        #expect(await eventually { !isAlive(process) })
    }

    private func isAlive(_ process: Int) -> Bool { kill(pid_t(process), 0) == 0 }

    @Test("A crash fails its call with signal and position, the next call succeeds, and no file is left")
    func crash() async throws {
        try await root.add(.version("1", event: Self.crash), .version())
        let host = try await ServingHost(root, "--isolate", "version", environment: state)
        let (client, other) = (try host.client(), try host.client())
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await other.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        let first = try #require(try await client.workers().first)
        let error = try await client.call("event", #"{"scene":1,"event":{"press":"go"}}"#)
        #expect(error.contains("worker-crashed") && error.contains("signal 11"))
        #expect(error.contains("VersionView.handle"))
        #expect(!isAlive(first))
        // The other client's scene ran in the same worker, so it is lost, too.
        let closed = try await other.line(with: #""method":"closed""#)
        #expect(closed.contains("worker-crashed") && closed.contains(#""scene":1"#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        let second = try #require(try await client.workers().first)
        #expect(second != first)
        // The host removes the files of a worker that was killed.
        kill(pid_t(second), SIGKILL)
        await waitForEnd(of: second)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        #expect(try root.temporaryFolders() == [])
    }

    @Test(
        "A library that crashes repeatedly in a worker is quarantined until it is retried or replaced",
        .long, arguments: ["retried", "replaced"])
    func giveUp(_ way: String) async throws {
        try await root.add(.version("1", event: Self.crash), .version())
        let host = try await ServingHost(root, "--isolate", "version", environment: state)
        let client = try host.client()
        for scene in 1...5 {
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
            let error = try await client.call("event", #"{"scene":\#(scene),"event":{"press":"go"}}"#)
            #expect(error.contains("worker-crashed"))
        }
        let modules = try await client.wait("modules", "{}", for: "library-quarantined")
        #expect(modules.contains(#""state":"refused""#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("library-quarantined"))
        if way == "retried" {
            // The host writes the report after it has refused the module.
            let isRetried = try await eventually {
                try await root.host("quarantine", "retry", "version", environment: state).ending == .code(0)
            }
            #expect(isRetried)
            // A retry forgets the earlier crashes.
            try await client.wait(for: #""title":"1""#)
            let other = try host.client()
            #expect(try await other.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
            let error = try await other.call("event", #"{"scene":1,"event":{"press":"go"}}"#)
            #expect(error.contains("worker-crashed"))
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        } else {
            try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/libVersion.so")
            try root.copy(await ModuleFixture.version("2").compiled(), to: "libVersion.so")
            try await client.wait(for: #""title":"2""#)
            #expect(try await client.workers().first != nil)
            #expect(try await root.host("quarantine", environment: state).text.contains("libVersion.so  call"))
        }
    }

    @Test("A library whose module crashes in its initialiser is not loaded until the file changes")
    func probe() async throws {
        try await root.add(.version("1", making: Self.crash), .version())
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        let error = try await client.call("open", #"{"route":"version"}"#)
        #expect(error.contains("library-quarantined") && error.contains("VersionModule.init"))
        let list = try await root.host("quarantine", environment: state)
        #expect(list.text.contains("libVersion.so  make"))
        let run = try await root.host("run", "version", environment: state)
        #expect(run.ending == .code(78) && run.errors.contains("host quarantine retry version\n"))
        // The suggested command names a state folder that is not the default.
        let named = try await root.host(
            "run", "version", "--state", "\(root.folder.path)/state/viper-host", environment: state)
        #expect(named.errors.contains("retry version --state \(root.folder.path)/state/viper-host\n"), "\(named)")
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/libVersion.so")
        try root.copy(await ModuleFixture.version("2").compiled(), to: "libVersion.so")
        try await client.wait(for: #""title":"2""#)
    }

    @Test("Workers end when their host is killed")
    func killedHost() async throws {
        try await root.add(.version("1", event: "while true { usleep(5000) }"), .version())
        let host = try await ServingHost(root, "--isolate", "version", environment: state)
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"version"}"#)
        let process = try #require(try await client.workers().first)
        try client.begin("event", #"{"scene":1,"event":{"press":"go"}}"#)
        host.send(SIGKILL)
        _ = try await host.end()
        await waitForEnd(of: process)
    }

    @Test("Replacing or removing an isolated module ends its worker")
    func removed() async throws {
        var manifest = ManifestText.version()
        manifest.isolation = "process"
        try await root.add(.version("1"), manifest)
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"version"}"#)
        _ = try await client.call("close", #"{"scene":1}"#)
        let first = try #require(try await client.workers().first)
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/libVersion.so")
        try root.copy(await ModuleFixture.version("2").compiled(), to: "libVersion.so")
        await waitForEnd(of: first)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"2""#))
        _ = try await client.call("close", #"{"scene":2}"#)
        let second = try #require(try await client.workers().first)
        #expect(second != first)
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        await waitForEnd(of: second)
        try await client.wait("modules", "{}", for: "version", isThere: false)
    }

    @Test("A session whose last scene is lost in a crash exits with 70")
    func session() async throws {
        try await root.add(.version("1", event: Self.crash), .version())
        let input = try root.folder.write(Data("go\nquit\n".utf8), to: "input")
        let result = try await root.host("run", "-i", "version", "--isolate", "version", environment: state) { child in
            child.input = input
        }
        #expect(result.ending == .code(70) && result.errors.contains("signal 11"), "\(result)")
        #expect(result.errors.components(separatedBy: "cannot use module").count == 2, "\(result)")
    }

    @Test(
        "Without a server, too, a call that never returns fails after 30 seconds, and the error names the module", .long
    )
    func endless() async throws {
        try await root.add(.version("1", event: "while true { usleep(5000) }"), .version())
        let cause = "its worker did not respond within 30 s and was killed"
        let result = try await root.host("run", "version", "--isolate", "version", "--press", "go", environment: state)
        #expect(result.ending == .code(70), "\(result)")
        #expect(result.errors.hasPrefix("host: cannot use module \"version\": \(cause)\n"), "\(result)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A module that provides services cannot be isolated")
    func provider() async throws {
        try await root.add(.keeper("x"), .keeper)
        let result = try await root.host("serve", "--stdio", "--isolate", "keeper", environment: state)
        #expect(result.ending == .code(78))
        #expect(result.errors.contains("a service cannot be used from another process"))
    }
}

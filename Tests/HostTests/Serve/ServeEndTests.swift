import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct ServeEndTests {
    @Test(
        "SIGTERM and SIGINT finish running calls, refuse new ones, close scenes and stop modules",
        arguments: [SIGTERM, SIGINT])
    func drain(signal: Int32) async throws {
        let (host, gate) = try await ServeTests.served()
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        let waiting = try client.begin("event", ServeTests.press("wait"))
        // The event is running when the host responds to this call.
        _ = try await client.call("ping")
        host.send(signal)
        try await client.wait("ping", "{}", for: "host-ending")
        #expect(throws: ChildFailure.self) { try host.client() }
        try gate.open()
        #expect(try await client.answer(to: waiting).contains("waited"))
        try await client.end()
        #expect(try await host.end() == .code(0))
        #expect(host.log.hasSuffix("serve: error: freed\nserve: error: stopped\n"), "\(host.log)")
        #expect(!FileManager.default.fileExists(atPath: host.socket))
    }

    @Test("A second SIGTERM makes the host exit with 143 and remove its temporary folder")
    func twice() async throws {
        let root = try await ServeTests.root()
        let host = try await ServingHost(root)
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        try client.begin("event", ServeTests.press("spin"))
        try await host.wait(forLog: "spins")
        host.send(SIGTERM)
        try #require(await eventually { (try? host.client()) == nil })
        #expect(try root.temporaryFolders().count == 1)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(128 + SIGTERM))
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A module that blocks the main actor makes the host exit with 70 after a time limit")
    func stuck() async throws {
        let root = try await ServeTests.root()
        let host = try await ServingHost(root, "--limit", "time=2")
        let client = try host.client()
        // The error does not name a module with an idle scene.
        _ = try await client.call("open", #"{"route":"list"}"#)
        let scene = try await ServeTests.open(client)
        try client.begin("event", ServeTests.press("spin", scene))
        try await host.wait(forLog: "spins")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(70))
        #expect(host.log.hasSuffix(Self.blocked(root, "5 s")), "\(host.log)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A module that does not stop makes the host exit with 70, and the error names the module")
    func unstoppable() async throws {
        let root = try ScratchRoot()
        try await root.add(.patient, .patient)
        let (host, client) = try ServingHost.atStandardIO(root, environment: ["PATIENT": "1"])
        #expect(try await client.call("open", #"{"route":"patient"}"#).contains(#""result""#))
        client.endOutput()
        #expect(try await host.end() == .code(70))
        let error = """
            host: cannot shut down the host of "\(root.path)": 1 module did not stop within 2 s
              did not stop  patient
              fix: make stop() and the calls of these modules return in time

            """
        #expect(host.log.hasSuffix(error), "\(host.log)")
        #expect(try root.temporaryFolders() == [])
    }

    /// A module that closes all descriptors but the standard descriptors, which Dispatch's timers and signal sources
    /// need.
    private static func closing(_ rest: String) -> ModuleFixture {
        .version("1", event: "for file in 3..<1024 { close(Int32(file)) }; write(2, \"closed\\n\", 7); \(rest)")
    }

    /// Starts a host whose module has closed the host's descriptors and blocks the main actor, and sends SIGTERM.
    private func closed(_ environment: [String: String] = [:]) async throws -> (ServingHost, ScratchRoot) {
        let root = try ScratchRoot()
        try await root.add(Self.closing("while true { usleep(5000) }"), .version())
        let host = try await ServingHost(root, "--as-is", "--limit", "time=2", environment: environment)
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"version"}"#)
        try client.begin("event", #"{"scene":1,"event":{"press":"go"}}"#)
        try await host.wait(forLog: "closed\n")
        host.send(SIGTERM)
        return (host, root)
    }

    @Test("A module that closes the host's descriptors makes the host exit with 70 after a time limit")
    func closedDescriptors() async throws {
        let (host, root) = try await closed()
        #expect(try await host.end() == .code(70))
        #expect(host.log.contains("  has a running call  version\n"), "\(host.log)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A second SIGTERM ends a host whose descriptors a module has closed")
    func closedDescriptorsTwice() async throws {
        let (host, root) = try await closed()
        try await host.wait(forLog: "shutting down")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(128 + SIGTERM))
        #expect(try root.temporaryFolders() == [])
    }

    /// A library that takes the place of the functions that remove files. Each of them waits for ever.
    private static let hangingRemoval = CLibraryFixture(
        "libHang.so",
        """
        void sem_init(long *semaphore, int shared, unsigned value);
        int sem_wait(long *semaphore);
        static int hang(void) { long semaphore[8]; sem_init(semaphore, 0, 0); for (;;) sem_wait(semaphore); }
        int unlink(const char *path) { return hang(); }
        int unlinkat(int folder, const char *path, int flags) { return hang(); }
        int rmdir(const char *path) { return hang(); }
        int remove(const char *path) { return hang(); }
        """)

    @Test("A host whose last work hangs exits at its limit, and on a second SIGTERM", arguments: [false, true])
    func hangingEnd(isTwice: Bool) async throws {
        let (host, _) = try await closed(["LD_PRELOAD": try await Self.hangingRemoval.compiled()])
        if isTwice {
            try await host.wait(forLog: "shutting down")
            host.send(SIGTERM)
        }
        #expect(try await host.end() == .code(isTwice ? 128 + SIGTERM : 70))
    }

    @Test("A module that blocks while it is created makes the host exit with 70, and the error names the module")
    func blockedStart() async throws {
        let root = try ScratchRoot()
        try await root.add(
            .version("1", making: "write(2, \"creates\\n\", 8); while true { usleep(5000) }"), .version())
        // Without a probe, which would kill the module in its own process.
        let host = try await ServingHost(root, "--as-is", "--limit", "time=1")
        let client = try host.client()
        try client.begin("open", #"{"route":"version"}"#)
        try await host.wait(forLog: "creates\n")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(70))
        #expect(host.log.contains("  is starting  version\n"), "\(host.log)")
    }

    @Test("A host with many loaded modules stops all of them in time")
    func many() async throws {
        let count = 40
        let root = try ScratchRoot()
        try root.copy(await ModuleFixture.serve.compiled(), to: "libServe.so")
        for number in 0..<count {
            var manifest = ManifestText("m\(number)", library: "libServe.so", routes: ["r\(number)"])
            manifest.requires = ["logger"]
            try root.add(manifest)
        }
        let (host, client) = try ServingHost.atStandardIO(root)
        for number in 0..<count {
            #expect(try await client.call("open", #"{"route":"r\#(number)"}"#).contains(#""result""#))
        }
        client.endOutput()
        #expect(try await host.end() == .code(0))
        #expect(host.log.split(separator: "\n").filter { $0.hasSuffix("error: stopped") }.count == count, "\(host.log)")
        #expect(try root.temporaryFolders() == [])
    }

    /// Returns the error of a host whose main actor is blocked by the module `serve`.
    static func blocked(_ root: ScratchRoot, _ limit: String) -> String {
        """
        host: cannot shut down the host of "\(root.path)": open scenes did not close within \(limit)
          has a running call  serve
          fix: make stop() and the calls of these modules return in time

        """
    }

    @Test("SIGHUP rescans the root")
    func rescan() async throws {
        let root = try await ServeTests.root()
        let host = try await ServingHost(root)
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["registry"]}"#)
        try root.copyManifest("people")
        host.send(SIGHUP)
        #expect(try await client.line(with: #""method":"registry""#).contains(#""module":"people""#))
        #expect(try await client.call("routes").contains("people/add"))
    }

    @Test("SIGHUP logs that host.json has changed or is invalid, and nothing if it is the same")
    func settings() async throws {
        let root = try await ServeTests.root()
        let file = "\(root.path)/host.json"
        try root.folder.write(#"{"start": "list"}"#, to: "root/host.json")
        let host = try await ServingHost(root)
        func change(to text: String, waitFor line: String? = nil) async throws {
            try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
            host.send(SIGHUP)
            if let line { try await host.wait(forLog: line) }
        }
        try await change(to: #"{"start": 1}"#, waitFor: "host: error: cannot use \"host.json:1:11\": ")
        // The host may handle this signal only after the next change.
        try await change(to: #"{ "start": "list" }"#)
        try await change(to: #"{ "start": 1}"#, waitFor: "host: error: cannot use \"host.json:1:12\": ")
        #expect(!host.log.contains("has changed"), "\(host.log)")
        try await change(
            to: #"{"start": "serve"}"#,
            waitFor: "host: warning: host.json has changed; it takes effect at the next start\n")
    }

    @Test(
        "Invalid combinations of options are refused",
        arguments: [
            (["serve", "--stdio", "--socket", "s"], "it cannot be combined with --stdio"),
            (
                ["serve", "--limit", "time=1e9"],
                "expected seconds above 0, up to 86400\n  fix: write a number such as 30\n"
            ),
            (["serve", "--limit", "calls=0"], "expected an integer from 1 to 1099511627776"),
            (["serve", "--limit", "x=1"], "unknown limit\n  fix: write one of message, connections"),
            (["serve", "--limit", "calls"], "NAME=VALUE"),
            (["serve", "--format", "json"], "host serve does not support it"),
            (["run", "list", "--via", "s", "--data", "/"], "it cannot be combined with --via"),
            (["routes", "--via", "s", "--set", "a.b=c"], "it cannot be combined with --via"),
            (["run", "list", "--socket", "s"], "host run does not support it"),
        ])
    func options(arguments: [String], error: String) async throws {
        let result = try await ChildProcess(Products.host, arguments).run()
        #expect(result.ending == .code(64) && result.errors.contains(error), "\(result)")
    }

    @Test("A module that ignores SIGTERM when it is created does not keep the host from ending")
    func ignoredSignal() async throws {
        let root = try ScratchRoot()
        try await root.add(.version("1", making: "signal(SIGTERM, SIG_IGN)"), .version())
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        // The host installs its handlers again soon after the module was created.
        #expect(
            await eventually {
                host.send(SIGTERM)
                return host.hasEnded
            })
        #expect([.code(0), .code(128 + SIGTERM)].contains(try await host.end()), "\(host.log)")
    }

    private func replace(_ fixture: ModuleFixture, in root: ScratchRoot) async throws {
        let new = "\(root.folder.path)/new.so"
        try copyFile(try await fixture.compiled(), to: new)
        try #require(rename(new, "\(root.path)/Plugins/libVersion.so") == 0)
    }

    @Test("SIGTERM abandons a trial that is running")
    func abandonedTrial() async throws {
        let root = try ScratchRoot()
        let hold = """
            close(open("\(root.path)/held", O_CREAT | O_WRONLY, 0o600))
            while true { usleep(5000) }
            """
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, "--limit", "time=1000")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try await replace(.version("2", making: hold), in: root)
        #expect(await eventually { FileManager.default.fileExists(atPath: "\(root.path)/held") })
        let start = ContinuousClock.now
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        // The trial alone would take ten seconds before the host kills it.
        #expect(ContinuousClock.now - start < .seconds(9), "\(host.log)")
        #expect(!host.log.contains("quarantined"), "\(host.log)")
    }

    @Test(
        "A deinitializer that never returns makes the host exit with 70, and the error names the module",
        arguments: ["view", "module"])
    func endlessRelease(of object: String) async throws {
        let root = try ScratchRoot()
        try await root.add(Self.keeping(object), ManifestText("keep", library: "libKeep.so", routes: ["keep"]))
        let host = try await ServingHost(root, "--as-is", "--limit", "time=1")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"keep"}"#).contains(#""result""#))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(70))
        let label = object == "view" ? "has open scenes" : "did not stop"
        #expect(host.log.contains("  \(label)  keep\n"), "\(host.log)")
    }

    /// Returns a module whose view or instance is never released completely.
    private static func keeping(_ object: String) -> ModuleFixture {
        ModuleFixture(
            "Keep",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_Keep)
            public func keepModule() -> UnsafeRawPointer { ModuleEntry.export(KeepModule.self) }

            final class KeepModule: Module {
                init(services: any ServiceResolver) {}
                deinit { \(object == "module" ? "while true { usleep(5000) }" : "") }
                static func register(with registrar: Registrar<KeepModule>) {
                    registrar.route("keep") { _, _ in KeepView() }
                }
            }

            final class KeepView: View {
                let screen = Screen(title: "Keep")
                deinit { \(object == "view" ? "while true { usleep(5000) }" : "") }
            }
            """)
    }

    @Test("SIGTERM says how long the host waits for calls, and when it ends at the latest")
    func announcement() async throws {
        let host = try await ServingHost(try ScratchRoot())
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let line = "host: shutting down; waits up to 30 s for running calls, and exits within 36 s\n"
        #expect(host.log.hasSuffix(line), "\(host.log)")
    }
}

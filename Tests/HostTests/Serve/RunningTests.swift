import Foundation
import HostDriver
import TestSupport
import Testing

/// Modules with work that needs no screen, in a real host.
@Suite(.fewAtOnce, .hangLimit)
struct RunningTests {
    private let root: ScratchRoot
    private let state: [String: String]

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    /// Returns code that writes a line to standard error.
    private static func tell(_ text: String) -> String { "write(2, \"\(text)\\n\", \(text.utf8.count + 1))" }

    /// Code that works until it is cancelled.
    private static func work(_ version: String) -> String {
        """
        \(tell("works \(version)"))
        setenv("WORKS", "1", 1)
        do { try await Task.sleep(for: .seconds(1000)) } catch { \(tell("ends \(version)")) }
        """
    }

    private static func manifest(_ runs: String? = "true") -> ManifestText {
        var manifest = ManifestText.version()
        manifest.runs = runs
        return manifest
    }

    /// Replaces the library of the running module.
    private func replace(with fixture: ModuleFixture) async throws {
        let library = try await fixture.compiled()
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/libVersion.so")
        try root.copy(library, to: "libVersion.so")
    }

    private func list(_ host: ServingHost) async throws -> ChildResult {
        try await ChildProcess(root.executable, ["modules", "--via", host.socket]).run()
    }

    private func count(_ line: String, in log: String) -> Int { log.components(separatedBy: line).count - 1 }

    @Test(
        "A serving host runs a module that nobody has opened, never in a trial, and cancels it at the end",
        arguments: ["none", "process"])
    func serving(isolation: String) async throws {
        var manifest = Self.manifest()
        manifest.isolation = isolation
        try await root.add(.version("1", stop: Self.tell("stops"), run: Self.work("1")), manifest)
        let host = try await ServingHost(root, environment: state)
        try await host.wait(forLog: "works 1\n")
        let client = try host.client()
        #expect(try await client.call("modules").contains(#""run":"running""#))
        #expect(try await client.call("statistics").contains(#""run":"running""#))
        let list = try await list(host)
        #expect(list.text.contains(/version +1\.0\.0 +active +running/), "\(list)")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        #expect(count("works 1\n", in: host.log) == 1, "\(host.log)")
        if isolation == "none" {
            // The trial also stops its instance.
            let end = try #require(host.log.firstRange(of: "ends 1\n"))
            #expect(host.log[end.upperBound...].contains("stops\n"), "\(host.log)")
        }
    }

    @Test("Without runs in its manifest, a module does not run, and a client cannot run it")
    func undeclared() async throws {
        try await root.add(.version("1", run: Self.work("1")), Self.manifest(nil))
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await client.call("run", #"{"module":"version"}"#).contains("method-unknown"))
        #expect(try await client.call("modules").contains(#""run""#) == false)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        #expect(!host.log.contains("works"), "\(host.log)")
    }

    @Test("A module that throws is restarted after growing pauses, and has failed after five errors in a row", .long)
    func throwing() async throws {
        try await root.add(.version("1", run: "throw Fault()"), Self.manifest())
        let host = try await ServingHost(root, environment: state)
        try await host.wait(forLog: "has failed 5 times in a row")
        for pause in [1, 2, 4, 8] {
            #expect(count("module version 1.0.0 is restarted in \(pause) s", in: host.log) == 1, "\(host.log)")
        }
        let client = try host.client()
        let modules = try await client.call("modules")
        #expect(modules.contains(#""run":"failed""#) && modules.contains("it threw Fault()"), "\(modules)")
        let list = try await list(host)
        #expect(list.text.contains(/version +1\.0\.0 +active +failed/), "\(list)")
        #expect(list.text.contains("module version is failed: cannot run module \"version\""), "\(list)")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        // A newer version begins a new series.
        try await replace(with: .version("2", run: Self.work("2")))
        try await client.wait("modules", "{}", for: #""run":"running""#)
    }

    @Test("A module whose run() returns has finished, and its routes stay available")
    func returning() async throws {
        try await root.add(.version("1", run: Self.tell("works 1")), Self.manifest())
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        try await client.wait("modules", "{}", for: #""run":"finished""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        // Any change makes the host compare its modules with the root again.
        try root.add(ManifestText("other", library: "libOther.so", routes: ["other"]))
        try await client.wait("modules", "{}", for: #""module":"other""#)
        #expect(try await client.call("modules").contains(#""run":"finished""#))
        #expect(count("works 1\n", in: host.log) == 1, "\(host.log)")
    }

    @Test("A module runs until its replacement is healthy, and the new one runs after the old one has ended")
    func replacing() async throws {
        try await root.add(.version("1", run: Self.work("1")), Self.manifest())
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        try await host.wait(forLog: "works 1\n")
        try await replace(with: .version("2", health: "throw Fault()", run: Self.work("2")))
        try await client.wait("modules", "{}", for: "rejection")
        #expect(!host.log.contains("ends 1\n") && !host.log.contains("works 2\n"), "\(host.log)")
        try await replace(with: .version("3", run: "\(Self.work("3"))"))
        try await host.wait(forLog: "works 3\n")
        let end = try #require(host.log.firstRange(of: "ends 1\n"))
        #expect(host.log[end.upperBound...].contains("works 3\n"), "\(host.log)")
        // Without the key, the module stays, and its work ends.
        try root.add(Self.manifest(nil))
        try await host.wait(forLog: "ends 3\n")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"3""#))
    }

    @Test(
        "A module that hangs or ignores cancellation is replaced, and the host that ends names it and exits with 70",
        arguments: [
            "await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }", "while true { sleep(1) }",
        ]
    )
    func ignoring(hang: String) async throws {
        try await root.add(.version("1", run: "\(Self.tell("works 1")); \(hang)"), Self.manifest())
        // More threads than the cooperative pool has.
        for number in 0..<4 {
            var manifest = ManifestText("hung\(number)", library: "libVersion.so", routes: ["m\(number)"])
            manifest.runs = "true"
            try root.add(manifest)
        }
        let host = try await ServingHost(root, "--limit", "time=2", environment: state)
        let client = try host.client()
        #expect(await eventually { count("works 1\n", in: host.log) == 5 })
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try await replace(with: .version("2", run: Self.work("2")))
        try await client.wait(for: #""title":"2""#)
        #expect(await eventually { count("works 2\n", in: host.log) == 5 })
        host.send(SIGTERM)
        #expect(try await host.end() == .code(70))
        #expect(host.log.contains("  did not end run()  version\n"), "\(host.log)")
    }

    @Test("A crash of run() in a worker restarts the worker, and five crashes quarantine the library")
    func crashing() async throws {
        let crash = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"
        let mark = "\(root.folder.path)/crashed"
        let once = "if open(\"\(mark)\", O_CREAT | O_EXCL, 0o600) >= 0 { \(crash) }; \(Self.work("1"))"
        var manifest = Self.manifest()
        manifest.isolation = "process"
        try await root.add(.version("1", run: once), manifest)
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        try await host.wait(forLog: "works 1\n")
        #expect(FileManager.default.fileExists(atPath: mark))
        #expect(host.log.contains("worker of module version") && host.log.contains("signal 11"), "\(host.log)")
        #expect(try await client.call("modules").contains(#""run":"running""#))
        // An end from outside also restarts it.
        for (index, signal) in [SIGKILL, SIGTERM].enumerated() {
            let worker = try #require(try await client.workers().first)
            kill(pid_t(worker), signal)
            #expect(await eventually { count("works 1\n", in: host.log) == 2 + index })
        }
        try await replace(with: .version("2", run: crash))
        try await client.wait("modules", "{}", for: "library-quarantined")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("library-quarantined"))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test("A module in a worker that ignores cancellation is replaced and does not keep the host from ending")
    func isolatedIgnoring() async throws {
        var manifest = Self.manifest()
        manifest.isolation = "process"
        try await root.add(.version("1", run: "\(Self.tell("works 1")); while true { sleep(1) }"), manifest)
        let host = try await ServingHost(root, environment: state)
        try await host.wait(forLog: "works 1\n")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        _ = try await client.call("close", #"{"scene":1}"#)
        try await replace(with: .version("2", run: "\(Self.tell("works 2")); while true { sleep(1) }"))
        try await host.wait(forLog: "works 2\n")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test("A host that reads its root once runs modules, too")
    func asIs() async throws {
        try await root.add(.version("1", run: Self.work("1")), Self.manifest())
        let host = try await ServingHost(root, "--as-is", environment: state)
        try await host.wait(forLog: "works 1\n")
        let client = try host.client()
        #expect(try await client.call("run", #"{"module":"version"}"#).contains("this host runs it"))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        #expect(count("works 1\n", in: host.log) == 1 && host.log.contains("ends 1\n"), "\(host.log)")
    }

    @Test("The work of an isolated module is cancelled when the module is replaced, although its scene stays open")
    func isolatedScene() async throws {
        var manifest = Self.manifest()
        manifest.isolation = "process"
        try await root.add(.version("1", run: Self.work("1")), manifest)
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        try await host.wait(forLog: "works 1\n")
        _ = try await client.call("open", #"{"route":"version"}"#)
        try await replace(with: .version("2", run: "\(Self.tell("works 2")); throw Fault()"))
        try await host.wait(forLog: "works 2\n")
        // The lines of two workers can arrive in another order than they were written in.
        try await host.wait(forLog: "ends 1\n")
        #expect(
            try await client.call("event", #"{"scene":1,"event":{"press":"go"}}"#).contains("went with 1"))
        // An error of an isolated module is the module's own.
        try await client.wait("modules", "{}", for: "it threw Fault()")
    }

    @Test(
        "host run runs only modules whose manifest says always, and lists them as idle",
        arguments: ["true", #""always""#])
    func running(runs: String) async throws {
        try await root.add(.version("1", event: Self.wait, run: Self.work("1")), Self.manifest(runs))
        let result = try await root.host("run", "version", "--press", "go", environment: state) { child in
            if runs == "true" { child.environment["ALONE"] = "1" }
        }
        #expect(result.ending == .code(0) && result.text.contains("went with 1"), "\(result)")
        #expect(count("works 1\n", in: result.errors) == (runs == "true" ? 0 : 1), "\(result)")
        #expect(count("ends 1\n", in: result.errors) == (runs == "true" ? 0 : 1), "\(result)")
        let list = try await root.host("modules", environment: state)
        #expect(list.text.contains(/version +1\.0\.0 +resolved +idle/), "\(list)")
    }

    /// Code that waits until `run()` works in the same process.
    private static let wait = """
        if getenv("ALONE") == nil { while getenv("WORKS") == nil { try? await Task.sleep(for: .milliseconds(5)) } }
        """

    @Test("A module that ignores cancellation makes host run exit with 70, and the error names it")
    func runningForEver() async throws {
        let hang = "await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }"
        try await root.add(
            .version("1", event: Self.wait, run: "setenv(\"WORKS\", \"1\", 1); \(hang)"), Self.manifest(#""always""#))
        let result = try await root.host("run", "version", "--press", "go", environment: state)
        #expect(result.ending == .code(70) && result.text.contains("went with 1"), "\(result)")
        #expect(result.errors.contains("  did not end run()  version\n"), "\(result)")
    }

    @Test("An always running module that cannot be used does not keep host run from opening a route")
    func faulty() async throws {
        try await root.add(.version("1", making: "throw Fault()"), Self.manifest(#""always""#))
        try await root.add(.keeper("x"), .keeper)
        try await root.add(.teller, .teller())
        let result = try await root.host("run", "teller", environment: state)
        #expect(result.ending == .code(0) && result.text.hasPrefix("x\n"), "\(result)")
        #expect(result.errors.contains("cannot run module version 1.0.0: cannot create module"), "\(result)")
    }
}

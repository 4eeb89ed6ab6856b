import Foundation
import HostDriver
import TestSupport
import Testing

/// The log of `host serve` without options, when modules change and workers crash.
@Suite(.fewAtOnce, .hangLimit)
struct ServeLogTests {
    private let root: ScratchRoot
    private let state: [String: String]
    private static let crash = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"
    private static let go = #"{"scene":1,"event":{"press":"go"}}"#

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    private func replace(_ fixture: ModuleFixture) async throws {
        let new = "\(root.folder.path)/new.so"
        try? FileManager.default.removeItem(atPath: new)
        let library = try await fixture.compiled()
        try copyFile(library, to: new)
        try #require(rename(new, "\(root.path)/Plugins/libVersion.so") == 0)
    }

    @Test("Adding, replacing, refusing and removing a module each log one line")
    func moduleChanges() async throws {
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        try await root.add(.version("1"), .version())
        try await host.wait(forLog: "host: info: version 1.0.0 was added\n")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try await replace(.version("2"))
        try await host.wait(forLog: "host: info: version 1.0.0 was replaced: generation 2\n")
        try await replace(.version("3", making: Self.crash))
        try await host.wait(
            forLog: "keeps module version 1.0.0: cannot load library \"libVersion.so\": it is quarantined; "
                + "its worker was terminated")
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        try await host.wait(forLog: "host: info: version 1.0.0 was removed\n")
        try root.add(manifest: "{", as: "broken.json")
        try await host.wait(
            forLog: "host: warning: broken is refused: cannot use manifest \"Manifests/broken.json:1:2\"")
        try await root.add(.keeper("x"), .keeper)
        try await host.wait(forLog: "host: info: keeper 1.0.0 was added\n")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        // On a busy machine, a trial may take long enough to be logged.
        let lines = host.log.split(separator: "\n").filter { !$0.hasPrefix("host: info: trying module ") }
        // Including the first line and the last one.
        #expect(lines.count == 8 && Set(lines).count == 8, "\(host.log)")
    }

    @Test("Many fast replacements are all logged")
    func manyReplacements() async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        _ = try await client.call("subscribe", #"{"to":["registry"]}"#)
        for number in 2...21 {
            try await replace(.version(number.isMultiple(of: 2) ? "2" : "1"))
            _ = try await client.line(with: #""generation":\#(number)"#)
        }
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let told = host.log.matches(of: /version 1\.0\.0 was replaced(?: (\d+) times)?: generation (\d+)\n/)
        #expect(told.reduce(0) { $0 + ($1.output.1.flatMap { text in Int(text) } ?? 1) } == 20, "\(host.log)")
        #expect(told.last?.output.2 == "21", "\(host.log)")
    }

    @Test("Each crash of a worker is logged, and so is the quarantine of its library")
    func crashes() async throws {
        try await root.add(.version("1", event: Self.crash), .version())
        let host = try await ServingHost(root, "--isolate", "version", environment: state)
        let client = try host.client()
        for scene in 1...5 {
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
            let error = try await client.call("event", #"{"scene":\#(scene),"event":{"press":"go"}}"#)
            #expect(error.contains("worker-crashed"))
        }
        try await host.wait(
            forLog: "host: warning: version 1.0.0 is refused: cannot load library \"libVersion.so\": it is quarantined "
                + "after 5 crashes within 60 s; its worker was terminated by signal 11 (Segmentation fault) in module version "
                + "1.0.0 during a call\n")
        let told =
            "host: warning: worker of module version was terminated by signal 11 (Segmentation fault) in module version "
            + "1.0.0: "
        #expect(await eventually { host.log.components(separatedBy: told).count == 6 }, "\(host.log)")
        try await host.wait(forLog: "VersionView.handle")
        let shown = try await root.host("quarantine", "show", "version", environment: state)
        #expect(shown.text.contains("\nafter    5 crashes within 60 s\n"), "\(shown)")
    }

    @Test("host run reports a crash once, with exit code 70")
    func oneReport() async throws {
        try await root.add(.version("1", event: Self.crash), .version())
        let result = try await root.host(
            "run", "version", "--isolate", "version", "--press", "go", environment: state)
        #expect(result.ending == .code(70))
        #expect(result.errors.components(separatedBy: "signal 11").count == 2, "\(result)")
    }

    /// Adds a module whose manifest is packed into its library.
    private func addPacked() async throws {
        let library = "\(root.folder.path)/libVersion.so"
        try FileManager.default.copyItem(atPath: await ModuleFixture.version("1").compiled(), toPath: library)
        let manifest = try root.folder.write(ManifestText.version().text, to: "version.json")
        #expect(try await ChildProcess(Products.host, ["pack", library, manifest]).run().ending == .code(0))
        try root.copy(library, to: "libVersion.so")
    }

    @Test("Moving a manifest from a library to a file replaces the module")
    func moved() async throws {
        try await addPacked()
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try root.add(.version())
        try await host.wait(forLog: "host: info: version 1.0.0 was replaced\n")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        let modules = try await client.call("modules")
        #expect(modules.components(separatedBy: #""module":"version""#).count == 2, "\(modules)")
        #expect(modules.contains(#""manifest":"Manifests/version.json""#) && modules.contains(#""state":"active""#))
        // The statistics include the scene of the first generation, also when it closes.
        let numbers = try await client.call("statistics")
        #expect(
            numbers.contains(#""generation":2,"generations":2"#) && numbers.contains(#""openScenes":2"#), "\(numbers)")
        _ = try await client.call("close", #"{"scene":1}"#)
        let after = try await client.wait("statistics", "{}", for: #""openScenes":1"#)
        #expect(after.contains(#""retired":1"#), "\(after)")
    }

    @Test("A long trial of a new module is logged, because creating the module takes as long again")
    func longTrial() async throws {
        try await root.add(.version("1", making: "usleep(1_000_000)"), .version())
        let host = try await ServingHost(root, environment: state)
        #expect(try await host.client().call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(
            host.log.contains(/host: info: trying module version took \d+\.\d s; creating it may take as long again\n/))
    }

    @Test("A module's info is logged once, and each line has its time", arguments: [[], ["--isolate", "version"]])
    func info(options: [String]) async throws {
        let making =
            #"try services.resolve(.logger).log(.info, "made"); try services.resolve(.logger).log(.debug, "x")"#
        var manifest = ManifestText.version()
        manifest.requires = ["logger"]
        try await root.add(.version("1", making: making), manifest)
        let host = try await ServingHost(root, environment: state) { $0.arguments += options }
        #expect(try await host.client().call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try await host.wait(forLog: "version: info: made\n")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let lines = host.timedLog.split(separator: "\n")
        #expect(lines.count == 3, "\(lines)")
        #expect(lines.allSatisfy { $0.contains(#/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z (host|version): /#) }, "\(lines)")
    }

    @Test(
        "A worker's log keeps levels, its output appears at once, and its packed manifest causes no warning"
    )
    func output() async throws {
        let library = "\(root.folder.path)/libVersion.so"
        let making = #"try services.resolve(.logger).log(.warning, "made"); print("printed")"#
        try FileManager.default.copyItem(
            atPath: await ModuleFixture.version("1", making: making).compiled(), toPath: library)
        var manifest = ManifestText.version()
        (manifest.isolation, manifest.requires) = ("process", ["logger"])
        let file = try root.folder.write(manifest.text, to: "version.json")
        #expect(try await ChildProcess(Products.host, ["pack", library, file]).run().ending == .code(0))
        try root.copy(library, to: "libVersion.so")
        let host = try await ServingHost(root, "--verbose", environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try await host.wait(forLog: "version: info: printed\n")
        try await host.wait(forLog: "\nversion: warning: made\n")
        #expect(!host.log.contains("differs"), "\(host.log)")
    }

    @Test("A call that exceeds the time limit names the module, is logged once, and counts as failed")
    func overdueCall() async throws {
        try await root.add(
            .version("1", event: "await Task { try? await Task.sleep(for: .seconds(1_000_000)) }.value"), .version())
        try await root.add(.keeper("x"), .keeper)
        try await root.add(.teller, .teller())
        let host = try await ServingHost(root, "--limit", "time=2", environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await client.call("open", #"{"route":"teller"}"#).contains(#""title":"x""#))
        let error = try await client.call("event", Self.go)
        #expect(error.contains("it took longer than 2 s"), "\(error)")
        #expect(error.contains("version") && !error.contains("teller"), "\(error)")
        try await host.wait(forLog: "host: warning: a call to module version took longer than 2 s\n")
        // The call waits for the first one.
        let next = try await client.call("event", Self.go)
        #expect(next.contains("version"), "\(next)")
        let statistics = try await client.call("statistics")
        #expect(statistics.contains(#""calls":3,"#) && statistics.contains(#""failures":1,"#), "\(statistics)")
        #expect(host.log.components(separatedBy: "took longer").count == 2, "\(host.log)")
    }

    @Test("Removing an invalid manifest of a module that goes on answering does not log that the module was removed")
    func invalidManifest() async throws {
        try await addPacked()
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try root.add(manifest: "{", as: "version.json")
        try await host.wait(forLog: "version is refused: ")
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        try await host.wait(forLog: "host: info: Manifests/version.json of version was removed\n")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(!host.log.contains(": version was removed"), "\(host.log)")
    }
}

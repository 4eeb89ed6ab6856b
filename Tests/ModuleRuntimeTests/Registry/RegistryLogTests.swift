import ModuleCatalog
import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

struct RegistryLogTests {
    private let registry = Registry(wiring: ServiceWiring(hostServices: []))
    private let reason = ViperError(
        .moduleFailed, operation: "cannot create module", subject: "a", cause: "of the test")

    private func record(_ file: String = "a") throws -> ModuleRecord {
        try #require(registry.snapshot.module(from: "Manifests/\(file).json"))
    }

    private func register(_ version: String = "1.0.0", file: String = "a") throws {
        let text = manifestText("a").replacing("1.0.0", with: version)
        registry.register([try catalogEntry(text: text, file: "\(file).json")])
    }

    @Test("Each lasting step is logged once, and intermediate steps are not logged")
    func steps() throws {
        var log = RegistryLog(since: registry.snapshot)
        func told() -> [String] { log.lines(for: registry.snapshot).map { "\($0.0) \($0.1)" } }
        try register()
        #expect(told() == ["info a 1.0.0 was added"])
        try register("2.0.0")
        #expect(told() == ["info a 2.0.0 replaced 1.0.0"])
        registry.refuse(try record(), because: reason)
        #expect(told() == ["warning a 2.0.0 is refused: cannot create module \"a\": of the test"])
        // A retry with the same outcome.
        try register("2.0.0")
        registry.refuse(try record(), because: reason)
        #expect(told() == [])
        try register("2.0.0")
        #expect(told() == ["info a 2.0.0 can be used again"])
        _ = registry.activate(try record(), as: try generation(of: try record()))
        #expect(told() == [])
        registry.note("a", .providers, reason)
        #expect(told() == ["warning keeps module a 2.0.0: cannot create module \"a\": of the test"])
        #expect(told() == [])
        registry.withdraw("Manifests/a.json")
        #expect(told() == ["info a 2.0.0 was removed"])
        registry.remove("Manifests/a.json")
        #expect(told() == [])
    }

    @Test("An incomplete library is logged only if it still is after some seconds")
    func unfinished() throws {
        let reason = ViperError(
            .libraryUnfinished, operation: "cannot load library", subject: "a", cause: "of the test")
        var log = RegistryLog(since: registry.snapshot)
        var time = ContinuousClock.now
        func told(after pause: Duration = .zero) -> [String] {
            time += pause
            return log.lines(for: registry.snapshot, at: time).map(\.1)
        }
        let almost = RegistryLog.patience - .milliseconds(1)
        try register()
        registry.refuse(try record(), because: reason)
        #expect(told() == [])
        #expect(told(after: almost) == [])
        #expect(log.pending == ["Manifests/a.json"])
        #expect(told(after: .milliseconds(1)) == ["a 1.0.0 is refused: cannot load library \"a\": of the test"])
        #expect(told() == [] && log.pending.isEmpty)
        try register()
        #expect(told() == ["a 1.0.0 can be used again"])
        // A newer version that is still being written.
        registry.note("a", .version, reason)
        #expect(told() == [] && told(after: almost) == [])
        #expect(told(after: .milliseconds(1)) == ["keeps module a 1.0.0: cannot load library \"a\": of the test"])
        registry.withdraw("Manifests/a.json")
        registry.remove("Manifests/a.json")
        #expect(told() == ["a 1.0.0 was removed"])
        try register()
        registry.refuse(try record(), because: reason)
        #expect(told() == [])
        try register()
        #expect(told() == ["a 1.0.0 was added"])
        #expect(log.pending.isEmpty)
    }

    @Test("A refused module that gets its name from its manifest later is logged as added, not as removed")
    func named() throws {
        var log = RegistryLog(since: registry.snapshot)
        registry.register([try catalogEntry(text: "", file: "b.json")])
        #expect(log.lines(for: registry.snapshot).count == 1)
        try register(file: "b")
        #expect(log.lines(for: registry.snapshot).map(\.1) == ["a 1.0.0 was added"])
    }

    @Test("A manifest that was first seen half written is logged as added, not as replaced")
    func halfWritten() throws {
        var log = RegistryLog(since: registry.snapshot)
        registry.register([try catalogEntry(text: "", file: "a.json")])
        try register()
        #expect(log.lines(for: registry.snapshot).map(\.1) == ["a 1.0.0 was added"])
    }

    @Test("A module that was added and replaced before the next call is logged as both")
    func addedAndReplaced() throws {
        var log = RegistryLog(since: registry.snapshot)
        try register()
        _ = registry.activate(try record(), as: try generation(of: try record()))
        let entry = try catalogEntry(text: manifestText("a"), file: "a.json")
        #expect(registry.replace(try record(), by: entry, as: try generation(of: try record())))
        let lines = log.lines(for: registry.snapshot).map(\.1)
        #expect(lines == ["a 1.0.0 was added", "a 1.0.0 was replaced: generation 2"])
    }

    @Test("Several replacements before the next call are logged with their number")
    func replacedOften() throws {
        func replace(_ version: String = "1.0.0") throws {
            let entry = try catalogEntry(text: manifestText("a").replacing("1.0.0", with: version), file: "a.json")
            #expect(registry.replace(try record(), by: entry, as: try generation(of: try record())))
        }
        var log = RegistryLog(since: registry.snapshot)
        func told() -> [String] { log.lines(for: registry.snapshot).map(\.1) }
        try register()
        _ = registry.activate(try record(), as: try generation(of: try record()))
        for _ in 0..<2 { try replace() }
        #expect(told() == ["a 1.0.0 was added", "a 1.0.0 was replaced 2 times: generation 3"])
        for _ in 0..<7 { try replace() }
        #expect(told() == ["a 1.0.0 was replaced 7 times: generation 10"])
        try replace("1.1.0")
        try replace("2.0.0")
        #expect(told() == ["a 2.0.0 replaced 1.0.0 in 2 steps: generation 12"])
        // A generation that was made but not used is not a replacement.
        _ = try generation(of: try record())
        try replace("2.0.0")
        #expect(told() == ["a 2.0.0 was replaced: generation 14"])
        for _ in 0..<3 { _ = registry.activate(try record(), as: try generation(of: try record())) }
        #expect(told() == ["a 2.0.0 was restarted 3 times because its providers changed: generation 17"])
    }

    @Test("Newer files of a module that is not loaded are logged, and listeners receive the change")
    func replacedUnloaded() async throws {
        try register()
        var log = RegistryLog(since: registry.snapshot)
        var changes = registry.changes().makeAsyncIterator()
        registry.register([try catalogEntry(text: manifestText("a"), file: "a.json")])
        #expect(log.lines(for: registry.snapshot).map(\.1) == ["a 1.0.0 was replaced"])
        registry.register([try catalogEntry("b")])
        #expect(await changes.next()?.module == "a")
    }

    @Test("A module whose manifest moves is logged as replaced, and initial modules are not logged")
    func moved() throws {
        try register()
        var log = RegistryLog(since: registry.snapshot)
        #expect(log.lines(for: registry.snapshot).isEmpty)
        _ = registry.activate(try record(), as: try generation(of: try record()))
        registry.withdraw("Manifests/a.json")
        try register("1.1.0", file: "b")
        #expect(log.lines(for: registry.snapshot).map(\.1) == ["a 1.1.0 replaced 1.0.0"])
        // One record, whose generation numbers continue.
        #expect(registry.snapshot.modules.map(\.file) == ["Manifests/b.json"])
        #expect(try generation(of: try record("b")).number == 2)
    }
}

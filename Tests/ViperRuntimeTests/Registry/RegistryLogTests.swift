import Testing
import ViperKit

@testable import ViperRuntime

/// What is told of modules, step by step.
struct RegistryLogTests {
    private let registry = Registry(wiring: ServiceWiring(hostServices: []))
    private let reason = ViperError(.moduleFailed, "cannot make module", "a", cause: "of the test")

    private func record(_ file: String = "a") throws -> ModuleRecord {
        try #require(registry.snapshot.module(from: "Manifests/\(file).json"))
    }

    private func register(_ version: String = "1.0.0", file: String = "a") throws {
        let text = manifestText("a").replacing("1.0.0", with: version)
        registry.register([try catalogEntry(text: text, file: "\(file).json")])
        registry.resolve()
    }

    @Test("each step that lasts is told once, and steps on the way are not")
    func steps() throws {
        var log = RegistryLog(since: registry.snapshot)
        func told() -> [String] { log.lines(for: registry.snapshot).map { "\($0.0) \($0.1)" } }
        try register()
        #expect(told() == ["info a 1.0.0 has come"])
        try register("2.0.0")
        #expect(told() == ["info a 2.0.0 has taken the place of 1.0.0"])
        registry.refuse(try record(), because: reason)
        #expect(told() == ["warning a 2.0.0 is refused: cannot make module \"a\": of the test"])
        // Tried again, with the same outcome.
        try register("2.0.0")
        registry.refuse(try record(), because: reason)
        #expect(told() == [])
        try register("2.0.0")
        #expect(told() == ["info a 2.0.0 can be used again"])
        registry.activate(try record(), as: try generation(of: try record()))
        #expect(told() == [])
        registry.note("Manifests/a.json", \.wiringRejection, reason)
        #expect(told() == ["warning a 2.0.0 stays as it was: cannot make module \"a\": of the test"])
        #expect(told() == [])
        registry.withdraw(["Manifests/a.json"])
        #expect(told() == ["info a 2.0.0 has gone"])
        registry.remove("Manifests/a.json")
        #expect(told() == [])
    }

    @Test("what has come and was replaced before anybody was told is told as both")
    func comeAndReplaced() throws {
        var log = RegistryLog(since: registry.snapshot)
        try register()
        registry.activate(try record(), as: try generation(of: try record()))
        let entry = try catalogEntry(text: manifestText("a"), file: "a.json")
        #expect(registry.replace(try record(), by: entry, as: try generation(of: try record())))
        let lines = log.lines(for: registry.snapshot).map(\.1)
        #expect(lines == ["a 1.0.0 has come", "a 1.0.0 was replaced: generation 2"])
    }

    @Test("a module whose manifest moves is one that was replaced; what is known at the beginning is no news")
    func moved() throws {
        try register()
        var log = RegistryLog(since: registry.snapshot)
        #expect(log.lines(for: registry.snapshot).isEmpty)
        registry.activate(try record(), as: try generation(of: try record()))
        registry.withdraw(["Manifests/a.json"])
        try register("1.1.0", file: "b")
        #expect(log.lines(for: registry.snapshot).map(\.1) == ["a 1.1.0 has taken the place of 1.0.0"])
        // One row, whose generations are counted on.
        #expect(registry.snapshot.modules.map(\.file) == ["Manifests/b.json"])
        #expect(try generation(of: try record("b")).number == 2)
    }
}

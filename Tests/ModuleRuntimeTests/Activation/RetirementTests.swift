import HostDriver
import ModuleTestSupport
import TestSupport
import Testing
@_spi(Host) import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Retirement of a module: its routes disappear immediately, open scenes continue, and it stops after the last of them.
@MainActor
@Suite(.hangLimit)
struct RetirementTests {
    private func host(_ manifest: String...) throws -> HostedModules {
        try linkedHost(manifest.map { (Screens.self, $0) })
    }

    private func failure(_ host: HostedModules, _ route: String) async throws -> ViperError {
        try await #require(throws: ViperError.self) { _ = try await host.opened(route) }
    }

    @Test("Retiring a module removes its routes and stops it once")
    func retire() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try host(manifestText("a", routes: ["x"]), manifestText("b", routes: ["y"]))
            try await host.opened("x").closeAll()
            try await host.retire("a")
            try await host.retire("a")
            #expect(try await failure(host, "x").code == .routeUnknown)
            #expect(try await host.opened("y").screen.title == "y")
            #expect(host.registry.snapshot.modules.map(\.state) == [.retired, .active])
        }
        #expect(script.steps.all.filter { $0.hasPrefix("stop") } == ["stop screens"])
    }

    @Test("A module that was never made is retired without being made or stopped")
    func neverMade() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try host(manifestText("a", routes: ["x"]))
            try await host.retire("a")
            #expect(host.registry.snapshot.modules.map(\.state) == [.retired])
        }
        #expect(script.steps.all.isEmpty)
    }

    @Test("Retirement waits for the last scene, which keeps working")
    func waits() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try host(manifestText("a", routes: ["x"]))
            let first = try await host.opened("x")
            let second = try await host.opened("x")
            let retirement = Task { try await host.retire("a") }
            #expect(await eventually { host.registry.snapshot.modules.first?.state == .retired })
            first.closeAll()
            try await second.handle(.press(action: "go"))
            #expect(second.screen.text == "press(action: \"go\")")
            script.steps.add("close the last")
            second.closeAll()
            try await retirement.value
        }
        #expect(Array(script.steps.all.suffix(2)) == ["close the last", "stop screens"])
    }

    @Test("Retiring an unknown module throws")
    func unknown() async throws {
        let host = try host(manifestText("a"))
        let error = try await #require(throws: ViperError.self) { try await host.retire("b") }
        #expect(error.summary == "cannot retire module \"b\": no module has this name")
    }

    @Test("A stopped generation accepts no new use")
    func openAfterStop() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let files = ModuleFiles(try catalogEntry("a", routes: ["x"]))
            let manifest = try files.entry.manifest.get()
            let services = ServiceContainer(timeLimit: Patience.limit).services("a")
            let code = LocalCode(Registrar<Screens>(), from: nil)
            let generation = try Generation(
                ModuleHistory(), of: manifest, code, try await code.run(manifest, services), services: services.own,
                providers: [:], wiring: .none, files: files)
            generation.retire()
            await generation.stopped()
            // A caller that looked up this generation before has to look it up again.
            #expect(!generation.uses.begin())
        }
        #expect(script.steps.all == ["make screens", "stop screens"])
    }

    @Test("Shutdown stops modules before the providers that they require, regardless of names")
    func order() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            // Each module requires the next one: c → b → a.
            let host = try linkedHost([
                (Chained.self, manifestText("c", routes: ["c"], requires: ["sb"])),
                (Chained.self, manifestText("b", requires: ["sa"], provides: ["sb"])),
                (Chained.self, manifestText("a", provides: ["sa"])),
            ])
            try await host.opened("c").closeAll()
            await host.shutDown()
        }
        #expect(script.steps.all == ["make a", "make b", "make c", "stop c", "stop b", "stop a"])
    }
}

/// A module that provides a service named after itself. It infers its name from the service that it requires.
private final class Chained: Module {
    private let script = Script.current
    private let name: String

    init(services: any ServiceResolver) {
        let requirement = ["a", "b"].first { (try? services.resolve(ServiceKey<Int>("s\($0)"))) != nil }
        name = requirement == "a" ? "b" : requirement == "b" ? "c" : "a"
        script.steps.add("make \(name)")
    }

    static func register(with registrar: Registrar<Chained>) {
        registrar.route("c") { _, request in PlainView(request.route) }
        for name in ["sa", "sb"] { registrar.service(ServiceKey<Int>(name), .singleton) { _, _ in 1 } }
    }

    func stop() async { script.steps.add("stop \(name)") }
}

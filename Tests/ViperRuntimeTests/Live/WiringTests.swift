import Foundation
import HostDriver
import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleIsolation
@testable import ModuleRuntime
@testable import ViperRuntime

/// Rewiring of modules when the providers of their services change.
@MainActor
@Suite(.fewAtOnce, .hangLimit)
struct WiringTests {
    private let root: ChangingRoot

    init() throws { root = try ChangingRoot() }

    private func title(_ host: ViperHost) async throws(ViperError) -> String {
        let window = try await host.opened("teller")
        defer { window.closeAll() }
        return window.screen.title
    }

    private func record(_ host: ViperHost, _ name: String) throws -> ModuleRecord {
        try #require(host.registry.snapshot.modules.first { $0.name == name })
    }

    @Test("A module is unresolved without its provider, and resolved when the provider is added")
    func addAndRemoveProvider() async throws {
        try await root.put(.teller, .teller())
        let host = try root.host()
        #expect(try record(host, "teller").state.refusal?.code == .requirementUnmet)
        try await root.put(.keeper("one"), .keeper)
        await host.rescan()
        #expect(try await title(host) == "one")
        let open = try await host.opened("teller")
        try root.remove("Manifests/keeper.json")
        await host.rescan()
        let error = try await #require(throws: ViperError.self) { try await title(host) }
        #expect(error.cause == "it requires the service \"word\", which no module provides")
        #expect(open.screen.title == "one")
        // The provider stays loaded while a scene uses its service.
        let keeper = try record(host, "keeper").history
        #expect(keeper.draining.map(\.number) == [1])
        open.closeAll()
        #expect(await eventually { keeper.draining.isEmpty })
        try root.put(.keeper)
        await host.rescan()
        #expect(try await title(host) == "one")
        await host.shutDown()
    }

    @Test("A new provider gives its dependents a new generation without loading them again")
    func replace() async throws {
        try await root.put(.teller, .teller())
        try await root.put(.keeper("one"), .keeper)
        let host = try root.host()
        #expect(try await title(host) == "one")
        let old = try await host.opened("teller")
        try await root.put(.keeper("two"), as: "libKeeper.so")
        await host.rescan()
        #expect(try await title(host) == "two")
        #expect(old.screen.title == "one")
        #expect(try record(host, "teller").generation?.number == 2)
        #expect(try record(host, "teller").history.loads == 1)
        old.closeAll()
        await host.shutDown()
    }

    @Test("An optional service can be missing, added, replaced and removed")
    func optional() async throws {
        try await root.put(.teller, .teller(optional: true))
        let host = try root.host()
        #expect(try await title(host) == "nothing")
        try await root.put(.keeper("one"), .keeper)
        await host.rescan()
        #expect(try await title(host) == "one")
        try await root.put(.keeper("two"), as: "libKeeper.so")
        await host.rescan()
        #expect(try await title(host) == "two")
        try root.remove("Manifests/keeper.json")
        await host.rescan()
        #expect(try await title(host) == "nothing")
        await host.shutDown()
    }

    @Test("A second provider is used only after the first is removed")
    func secondProvider() async throws {
        try await root.put(.teller, .teller())
        try await root.put(.keeper("one"), .keeper)
        let host = try root.host()
        #expect(try await title(host) == "one")
        var second = ManifestText.keeper
        (second.name, second.library) = ("a-keeper", "libSecond.so")
        try await root.put(.keeper("second"), second)
        await host.rescan()
        #expect(try await title(host) == "one")
        try root.remove("Manifests/keeper.json")
        await host.rescan()
        #expect(try await title(host) == "second")
        await host.shutDown()
    }

    @Test("A newer manifest that would create a cycle is rejected, and the error names the cycle")
    func cycle() async throws {
        try await root.put(.teller, .teller())
        try await root.put(.keeper("one"), .keeper)
        let host = try root.host()
        var keeper = ManifestText.keeper
        keeper.requires = ["more"]
        var more = ManifestText("more", library: "libMore.so", routes: [])
        (more.requires, more.provides) = (["word"], ["more"])
        try await root.put(.keeper("more", as: "more"), more)
        try root.put(keeper)
        await host.rescan()
        // The keeper was already resolved, so its newer manifest is rejected.
        let cause = try record(host, "keeper").rejection?.cause
        #expect(cause == "modules require each other: keeper → more → keeper")
        #expect(try await title(host) == "one")
        await host.shutDown()
    }

    @Test("Changes that depend on each other are accepted together, regardless of names")
    func together() async throws {
        try await root.put(.teller, .teller())
        try await root.put(.keeper("old"), .keeper)
        var more = ManifestText("more", library: "libMore.so", routes: [])
        more.provides = ["other"]
        try await root.put(.keeper("other", as: "other"), more)
        let host = try root.host()
        #expect(try await title(host) == "old")
        // The first module by name requires a service that only the last one provides.
        var keeper = ManifestText.keeper
        (keeper.requires, more.provides) = (["more"], ["more"])
        try root.put(keeper)
        try await root.put(.keeper("more", as: "more"), more)
        await host.rescan()
        #expect(try record(host, "keeper").rejection == nil)
        #expect(try record(host, "keeper").manifest?.requires == ["more"])
        #expect(try await title(host) == "old")
        await host.shutDown()
    }

    @Test("An isolated module whose provider changes keeps the checked library, not the file now on disk")
    func isolated() async throws {
        var teller = ManifestText.teller()
        teller.isolation = "process"
        try await root.put(.teller, teller)
        try await root.put(.keeper("one"), .keeper)
        let host = try root.host()
        #expect(try await title(host) == "one")
        try root.put(Data("no library".utf8), as: "libTeller.so")
        try await root.put(.keeper("two"), as: "libKeeper.so")
        await host.rescan()
        let rejections = try ["keeper", "teller"].map { try record(host, $0).rejection }
        #expect(rejections.map { $0?.code } == [nil, .libraryInvalid], "\(rejections)")
        #expect(try await title(host) == "two")
        await host.shutDown()
    }

    @Test("A failing provider of an optional service is skipped, and the module is made once")
    func optionalFails() async throws {
        let script = Script(failing: "make greeter")
        try await Script.$current.withValue(script) {
            var user = ManifestText("user", library: "libUser.so", routes: ["user"])
            user.optional = ["greeting"]
            let provider = manifestText("greeter", provides: ["greeting"])
            let host = try linkedHost([
                (Screens.self, user.text), (Greeter.self, provider),
            ])
            let opened = await atOnce(100) { () async -> Bool in
                guard let window = try? await host.opened("user") else { return false }
                await window.closeAll()
                return true
            }
            #expect(opened.allSatisfy { $0 })
            #expect(host.registry.snapshot.modules.map(\.state.name) == ["refused", "active"])
            await host.shutDown()
        }
        #expect(script.steps.all.filter { $0 == "make screens" }.count == 1)
    }

    @Test("A rejected manifest is accepted after the service that it requires is added")
    func later() async throws {
        try await root.put(.teller, .teller())
        try await root.put(.keeper("old"), .keeper)
        let host = try root.host()
        #expect(try await title(host) == "old")
        var (keeper, more) = (ManifestText.keeper, ManifestText("more", library: "libMore.so", routes: []))
        (keeper.requires, more.provides) = (["more"], ["more"])
        try root.put(keeper)
        await host.reconciler.settle()
        #expect(try record(host, "keeper").rejection?.code == .requirementUnmet)
        try await root.put(.keeper("more", as: "more"), more)
        await host.reconciler.settle()
        #expect(try record(host, "keeper").rejection == nil)
        #expect(try record(host, "keeper").manifest?.requires == ["more"])
        await host.shutDown()
    }

    @Test(
        "A dependent is probed with the active provider, not with its rejected replacement",
        arguments: [false, true])
    func rejectedProvider(isIsolated: Bool) async throws {
        try await root.put(.keeper("good"), .keeper)
        try await root.put(.teller, .teller())
        let host = try root.host()
        #expect(try await title(host) == "good")
        try root.remove("Manifests/teller.json")
        await host.rescan()
        let crash = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"
        try await root.put(.keeper("bad", making: crash), as: "libKeeper.so")
        await host.rescan()
        #expect(try record(host, "keeper").rejection?.code == .libraryQuarantined)
        var teller = ManifestText.teller()
        if isIsolated { teller.isolation = "process" }
        // The same code with another digest, which was not probed yet.
        let library = try Data(contentsOf: URL(filePath: await ModuleFixture.teller.compiled()))
        try root.put(library + [0], as: "libTeller.so")
        try root.put(teller)
        await host.rescan()
        #expect(try await title(host) == "good")
        #expect(try host.quarantine.all().map(\.module) == ["keeper"])
        await host.shutDown()
    }
}

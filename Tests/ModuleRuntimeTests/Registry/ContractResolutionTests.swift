import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Resolution of modules that use contracts.
struct ContractResolutionTests {
    private func contract(_ version: String, sdk: String = "1.0") throws -> CatalogEntry {
        try catalogEntry(
            text:
                #"{"kind": "contract", "name": "api", "version": "\#(version)", "library": "libAPI.so", "sdk": "\#(sdk)"}"#,
            file: "api.json")
    }

    private func user(_ name: String, _ version: String, provides: String = "") throws -> CatalogEntry {
        try catalogEntry(
            text: #"{"name": "\#(name)", "version": "1.0.0", "library": "lib\#(name).so", "sdk": "1.0", "#
                + #""contracts": {"api": "\#(version)"}, "provides": [\#(provides)]}"#,
            file: "\(name).json")
    }

    private func resolve(_ entries: CatalogEntry...) -> [String: ModuleState] {
        let records = entries.map { ModuleRecord(ModuleFiles($0)) }
        let resolution = Resolution(of: records, wiring: ServiceWiring(hostServices: ["logger"]))
        return Dictionary(uniqueKeysWithValues: resolution.records.map { ($0.name, $0.state) })
    }

    @Test(
        "The same major version and an equal or higher minor version fit",
        arguments: [("1.2.0", "1.2", true), ("1.2.9", "1.0", true), ("1.1.9", "1.2", false), ("2.0.0", "1.0", false)])
    func versions(installed: String, needed: String, fits: Bool) throws {
        let states = resolve(try contract(installed), try user("a", needed))
        #expect(states["api"] == .resolved)
        #expect((states["a"] == .resolved) == fits)
        #expect(states["a"]?.refusal?.code == (fits ? nil : .contractUnmet))
        #expect(states["a"]?.refusal?.dependsOnOtherModules == (fits ? nil : true))
    }

    @Test("A contract that is missing or refused refuses its users")
    func unusable() throws {
        let missing = try #require(resolve(try user("a", "1.0"))["a"]?.refusal)
        #expect(missing.code == .requirementUnmet)
        #expect(missing.cause == "it uses the contract \"api\", which is not installed")
        let refused = try #require(resolve(try contract("1.0.0", sdk: "9.0"), try user("a", "1.0"))["a"]?.refusal)
        #expect(refused.cause == "it uses the contract \"api\", whose provider \"api\" is refused")
        #expect(refused.notes.contains { $0.label == "because" && $0.text.contains("ViperKit 9.0") }, "\(refused)")
    }

    @Test("A service with the name of a contract does not meet the need for the contract")
    func names() throws {
        let states = resolve(
            try catalogEntry(
                text: #"{"name": "p", "version": "1.0.0", "library": "libP.so", "sdk": "1.0", "provides": ["api"]}"#,
                file: "p.json"),
            try user("a", "1.0"))
        #expect(states["p"] == .resolved && states["a"]?.refusal?.code == .requirementUnmet)
    }

    @Test("A module that a test links needs no contract, because the test links the contract too")
    @MainActor
    func linked() throws {
        let host = try linkedHost([
            (
                Screens.self,
                #"{"name": "a", "version": "1.0.0", "library": "libA.so", "sdk": "1.0", "contracts": {"api": "1.0"}}"#
            )
        ])
        #expect(host.registry.snapshot.modules.map(\.state) == [.resolved])
    }

    @Test("A contract appears in no list of services or routes")
    func lists() throws {
        let registry = Registry(wiring: ServiceWiring(hostServices: []))
        registry.register([ModuleFiles(try contract("1.0.0")), ModuleFiles(try user("a", "1.0"))])
        let snapshot = registry.snapshot
        #expect(snapshot.services.isEmpty && snapshot.routes.all.isEmpty)
        let record = try #require(snapshot.module(from: "Manifests/a.json"))
        #expect(snapshot.contracts(of: try #require(record.manifest)).map(\.name) == ["api"])
        #expect(snapshot.providers(for: record).values.map(\.name) == ["api"])
    }
}

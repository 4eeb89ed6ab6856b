import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Resolution of modules from their manifests alone.
struct ResolutionTests {
    private func resolve(_ entries: CatalogEntry..., hostServices: Set<String> = ["logger"]) -> [String: ModuleState] {
        let resolution = Resolution(
            of: entries.map { ModuleRecord(ModuleFiles($0)) }, wiring: ServiceWiring(hostServices: hostServices))
        return Dictionary(uniqueKeysWithValues: resolution.records.map { ($0.file, $0.state) })
    }

    private func refusal(_ states: [String: ModuleState], _ module: String) throws -> ViperError {
        let state = try #require(states["Manifests/\(module).json"])
        return try #require(state.refusal, "\(module) is \(state.name)")
    }

    @Test("A module without requirements is resolved")
    func plain() throws {
        #expect(resolve(try catalogEntry("a")) == ["Manifests/a.json": .resolved])
    }

    @Test("An unreadable manifest keeps its own error")
    func unreadable() throws {
        let entry = try catalogEntry(text: "{}", file: "bad.json")
        let states = resolve(entry, try catalogEntry("a"))
        #expect(
            states == [
                "Manifests/a.json": .resolved, "Manifests/bad.json": .refused(try #require(entry.manifest.failure)),
            ])
    }

    @Test("Services of the host and of a chain of modules meet a requirement")
    func chain() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["logger", "s"]), try catalogEntry("b", requires: ["t"], provides: ["s"]),
            try catalogEntry("c", provides: ["t"]))
        #expect(states.values.allSatisfy { $0 == .resolved })
    }

    @Test("Two manifests with one name are both refused, and each error names both")
    func duplicateNames() throws {
        let states = resolve(
            try catalogEntry("twin", file: "2.json"), try catalogEntry("twin", file: "1.json"), try catalogEntry("a"))
        let expected = ViperError(
            .moduleDuplicate, operation: "cannot use module", subject: "twin",
            cause: "several manifests have this name",
            notes: [.init("manifest", "Manifests/1.json"), .init("manifest", "Manifests/2.json")],
            fix: "remove or rename all but one")
        #expect(states["Manifests/1.json"] == .refused(expected))
        #expect(states["Manifests/2.json"] == .refused(expected))
        #expect(states["Manifests/a.json"] == .resolved)
    }

    @Test("A module for a newer or another ViperKit is refused with both versions", arguments: ["1.99", "2.0", "0.9"])
    func sdk(version: String) throws {
        let error = try refusal(resolve(try catalogEntry("a", sdk: version)), "a")
        #expect(error.code == .sdkUnsupported)
        #expect(error.cause == "it is built for ViperKit \(version), and this host has \(SDK.version)")
        #expect(error.notes == [.init("manifest", "Manifests/a.json")])
    }

    @Test("A module that requires an unknown service is refused with the closest name")
    func unknownService() throws {
        let near = try refusal(resolve(try catalogEntry("a", requires: ["loger"])), "a")
        #expect(near.code == .requirementUnmet)
        #expect(near.summary == "cannot use module \"a\": it requires the service \"loger\", which no module provides")
        #expect(near.fix == "write \"logger\"")
        let far = try refusal(resolve(try catalogEntry("a", requires: ["weather"])), "a")
        #expect(far.fix == "add a module that provides it, or correct \"requires\"")
    }

    @Test("A module cannot provide a service of the host")
    func hostService() throws {
        let error = try refusal(resolve(try catalogEntry("a", provides: ["logger"])), "a")
        #expect(error.code == .requirementUnmet)
        #expect(error.cause == "it provides \"logger\", which the host itself provides")
    }

    @Test("A refused provider refuses its dependents, and the error names it")
    func refusedProvider() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", sdk: "9.0", provides: ["s"]))
        #expect(try refusal(states, "a").cause == "it requires the service \"s\", whose provider \"b\" is refused")
    }

    @Test("A provider with an unmet requirement refuses its dependents")
    func unmetProvider() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", requires: ["gone"], provides: ["s"]))
        #expect(try refusal(states, "a").cause == "it requires the service \"s\", whose provider \"b\" is refused")
        #expect(try refusal(states, "b").cause == "it requires the service \"gone\", which no module provides")
    }

    @Test("A refused provider does not compete with a usable one")
    func unmetSecondProvider() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", requires: ["gone"], provides: ["s"]),
            try catalogEntry("c", provides: ["s"]))
        #expect(states["Manifests/a.json"] == .resolved)
        #expect(states["Manifests/c.json"] == .resolved)
        #expect(try refusal(states, "b").code == .requirementUnmet)
    }

    @Test("A requirement with several providers is met by the chosen module or the host's own service")
    func chosenProvider() throws {
        let entries = [
            try catalogEntry("a", requires: ["s", "t"]), try catalogEntry("b", provides: ["s"]),
            try catalogEntry("c", provides: ["s", "t"]),
        ]
        func state(_ wiring: ServiceWiring) -> ModuleState? {
            Resolution(of: entries.map { ModuleRecord(ModuleFiles($0)) }, wiring: wiring).records.first {
                $0.name == "a"
            }?.state
        }
        #expect(state(ServiceWiring(hostServices: []))?.refusal?.code == .requirementUnmet)
        #expect(state(ServiceWiring(hostServices: [], choices: ["s": "c"])) == .resolved)
        // While the host provides the service, modules that also provide it are unselected, not refused.
        #expect(state(ServiceWiring(hostServices: ["s"], replaceable: ["s": "own"])) == .resolved)
        #expect(state(ServiceWiring(hostServices: ["s"]))?.refusal != nil)
    }

    @Test("A module with a choice of its own gets another provider than the rest")
    func singleChoice() throws {
        let entries = [
            try catalogEntry("a", requires: ["s"]), try catalogEntry("b", requires: ["s"]),
            try catalogEntry("one", provides: ["s"]), try catalogEntry("two", provides: ["s"]),
        ]
        func providers(_ wiring: ServiceWiring) throws -> [String] {
            let registry = Registry(wiring: wiring)
            registry.register(entries)
            let snapshot = registry.snapshot
            return snapshot.modules.filter { $0.name.count == 1 }.map { record in
                record.state.refusal?.cause ?? snapshot.providers(for: record)["s"]?.name ?? "host"
            }
        }
        let tie = "it requires the service \"s\", which 2 modules provide"
        #expect(try providers(ServiceWiring(hostServices: [], choices: ["a.s": "two"])) == ["two", tie])
        #expect(try providers(ServiceWiring(hostServices: [], choices: ["s": "one", "a.s": "two"])) == ["two", "one"])
        // The host's own provider is one of them.
        let own = ["s": "own"]
        #expect(
            try providers(ServiceWiring(hostServices: ["s"], replaceable: own, choices: ["a.s": "two"]))
                == ["two", "host"])
        #expect(
            try providers(ServiceWiring(hostServices: [], replaceable: own, choices: ["s": "one", "a.s": "own"]))
                == ["host", "one"])
        #expect(
            try providers(ServiceWiring(hostServices: ["s"], replaceable: own, choices: ["a.s": "gone"]))
                == ["it requires the service \"s\", whose chosen provider \"gone\" does not provide it", "host"])
    }

    @Test("A single choice can close a cycle, and can open one")
    func singleChoiceCycles() throws {
        let entries = [
            try catalogEntry("a", requires: ["s"], provides: ["t"]),
            try catalogEntry("b", requires: ["t"], provides: ["s"]),
            try catalogEntry("c", provides: ["s"]),
        ]
        func states(_ choices: [String: String]) -> [String] {
            Resolution(
                of: entries.map { ModuleRecord(ModuleFiles($0)) },
                wiring: ServiceWiring(hostServices: [], choices: choices)
            ).records.map { $0.state.refusal?.code.name ?? $0.state.name }
        }
        #expect(states(["s": "c"]) == ["resolved", "resolved", "resolved"])
        #expect(states(["s": "c", "a.s": "b"]) == ["service-cycle", "service-cycle", "resolved"])
        #expect(states(["s": "b", "a.s": "c"]) == ["resolved", "resolved", "resolved"])
    }

    @Test("Several providers of a service refuse its consumers, but not themselves")
    func severalProviders() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["s"]), try catalogEntry("c", provides: ["s"]),
            try catalogEntry("b", provides: ["s"]))
        let error = try refusal(states, "a")
        #expect(error.cause == "it requires the service \"s\", which 2 modules provide")
        #expect(
            error.notes == [
                .init("manifest", "Manifests/a.json"), .init("provided by", "Manifests/b.json"),
                .init("provided by", "Manifests/c.json"),
            ])
        #expect(
            error.fix == "choose one with --use s=NAME, where NAME is one of b, c; or remove all but one"
        )
        #expect(states["Manifests/b.json"] == .resolved)
        #expect(states["Manifests/c.json"] == .resolved)
    }

    @Test("The error names at most ten of many providers")
    func manyProviders() throws {
        let providers = try (10...30).map { try catalogEntry("m\($0)", provides: ["s"]) }
        let resolution = Resolution(
            of: ([try catalogEntry("a", requires: ["s"])] + providers).map { ModuleRecord(ModuleFiles($0)) },
            wiring: ServiceWiring(hostServices: []))
        let error = try #require(resolution.records[0].state.refusal)
        #expect(error.notes.count == 12 && error.notes.last?.text == "11 more", "\(error)")
        #expect(
            error.fix?.contains("m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, …;") == true,
            "\(error)")
    }

    @Test("Two cycles through one module are reported from each member's view")
    func twoCycles() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["t", "u"], provides: ["s"]),
            try catalogEntry("b", requires: ["s"], provides: ["t"]),
            try catalogEntry("c", requires: ["s"], provides: ["u"]))
        #expect(try refusal(states, "a").cause == "modules require each other: a → b → a")
        #expect(try refusal(states, "b").cause == "modules require each other: b → a → b")
        #expect(try refusal(states, "c").cause == "modules require each other: c → a → c")
    }

    @Test("Two modules that require each other are refused with the whole cycle")
    func cycle() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["t"], provides: ["s"]),
            try catalogEntry("b", requires: ["s"], provides: ["t"]))
        #expect(try refusal(states, "a").code == .serviceCycle)
        #expect(try refusal(states, "a").cause == "modules require each other: a → b → a")
        #expect(try refusal(states, "b").cause == "modules require each other: b → a → b")
    }

    @Test("A module that requires its own service is a cycle of one")
    func selfCycle() throws {
        let states = resolve(try catalogEntry("a", requires: ["s"], provides: ["s"]))
        #expect(try refusal(states, "a").cause == "modules require each other: a → a")
    }

    @Test("A cycle of three also refuses a dependent outside the cycle")
    func cycleWithTail() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["s2"], provides: ["s1"]),
            try catalogEntry("b", requires: ["s3"], provides: ["s2"]),
            try catalogEntry("c", requires: ["s1"], provides: ["s3"]),
            try catalogEntry("tail", requires: ["s2"]), try catalogEntry("free"))
        #expect(try refusal(states, "a").cause == "modules require each other: a → b → c → a")
        #expect(try refusal(states, "b").cause == "modules require each other: b → c → a → b")
        #expect(try refusal(states, "c").cause == "modules require each other: c → a → b → c")
        #expect(try refusal(states, "tail").code == .requirementUnmet)
        #expect(
            try refusal(states, "tail").cause
                == "it requires the service \"s2\", whose provider \"b\" cannot be used either")
        #expect(states["Manifests/free.json"] == .resolved)
    }

    @Test("If a module has several reasons, one outside the cycle is reported")
    func reasonOutsideCycle() throws {
        let states = resolve(
            try catalogEntry("a", requires: ["t", "gone"], provides: ["s"]),
            try catalogEntry("b", requires: ["s"], provides: ["t"]))
        #expect(try refusal(states, "a").cause == "it requires the service \"gone\", which no module provides")
    }

    @Test("The order of the manifests does not affect the result")
    func orderIndependence() throws {
        let entries = [
            try catalogEntry("a", requires: ["s2"], provides: ["s1"]),
            try catalogEntry("b", requires: ["s3"], provides: ["s2"]),
            try catalogEntry("c", requires: ["s1"], provides: ["s3"]),
            try catalogEntry("d", requires: ["s2", "u"]), try catalogEntry("e", requires: ["f1"], provides: ["u"]),
            try catalogEntry("f", requires: ["logger"], provides: ["f1"]), try catalogEntry("g", requires: ["gone"]),
            try catalogEntry("h", provides: ["two"]), try catalogEntry("i", provides: ["two"]),
            try catalogEntry("j", requires: ["two"]), try catalogEntry("k", sdk: "3.0", provides: ["old"]),
            try catalogEntry("l", requires: ["old"]), try catalogEntry("m", file: "m1.json"),
            try catalogEntry("m", file: "m2.json"), try catalogEntry(text: "{", file: "n.json"),
            try catalogEntry("o", provides: ["logger"]), try catalogEntry("p", requires: ["u"]),
        ]
        func states(_ entries: [CatalogEntry]) -> [String: ModuleState] {
            let records = Resolution(
                of: entries.map { ModuleRecord(ModuleFiles($0)) }, wiring: ServiceWiring(hostServices: ["logger"])
            ).records
            return Dictionary(uniqueKeysWithValues: records.map { ($0.file, $0.state) })
        }
        let expected = states(entries)
        #expect(expected.values.filter { $0 == .resolved }.count == 5)
        for _ in 0..<200 {
            let shuffled = entries.shuffled()
            #expect(states(shuffled) == expected, "in the order \(shuffled.map(\.file))")
        }
    }
}

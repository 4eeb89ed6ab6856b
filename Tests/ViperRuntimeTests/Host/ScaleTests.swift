import Foundation
import Glibc
import HostDriver
import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog
@testable import ModuleRuntime
@testable import ViperRuntime

/// Roots with so many modules that work for each pair of them would exceed the processor time.
@Suite(.fewAtOnce, .hangLimit)
struct ScaleTests {
    private static let count = 5_000

    /// Fails if synchronous work uses more than 15 seconds of its thread's processor time. Waiting does not count, so a
    /// busy machine changes nothing. Each test here uses one or two seconds.
    private func expectFast<Result>(_ work: () throws -> Result) rethrows -> Result {
        func processorTime() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = processorTime()
        defer { #expect(processorTime() - start < .seconds(15)) }
        return try work()
    }

    private func entries(_ text: (Int) -> String) -> [CatalogEntry] {
        (0..<Self.count).map { CatalogEntry(file: "Manifests/\($0).json", text: .success(Data(text($0).utf8))) }
    }

    private func registry(_ entries: [CatalogEntry]) -> Registry {
        let registry = Registry(wiring: ServiceWiring(hostServices: []))
        registry.register(entries)
        return registry
    }

    @Test("Each module of a long chain is resolved and has its provider", arguments: [-1, 1])
    func chain(step: Int) throws {
        expectFast {
            let entries = entries { manifestText("m\($0)", requires: ["s\($0 + step)"], provides: ["s\($0)"]) }
            let end = step > 0 ? Self.count : -1
            let last = CatalogEntry(
                file: "Manifests/last.json", text: .success(Data(manifestText("last", provides: ["s\(end)"]).utf8)))
            let snapshot = registry(entries + [last]).snapshot
            #expect(snapshot.modules.allSatisfy { $0.state == .resolved })
            for record in snapshot.modules {
                #expect(snapshot.providers(for: record).count == (record.name == "last" ? 0 : 1))
            }
            #expect(snapshot.services.count == Self.count + 1)
        }
    }

    @Test("An unmet requirement at the end of a long chain refuses the whole chain")
    func brokenChain() throws {
        expectFast {
            let snapshot = registry(
                entries { manifestText("m\($0)", requires: ["s\($0 + 1)"], provides: ["s\($0)"]) }
            ).snapshot
            #expect(snapshot.modules.allSatisfy { $0.state.refusal?.code == .requirementUnmet })
            #expect(
                snapshot.module(from: "Manifests/0.json")?.state.refusal?.cause
                    == "it requires the service \"s1\", whose provider \"m1\" is refused")
        }
    }

    @Test("A long cycle is refused with a shortened path")
    func cycle() throws {
        expectFast {
            let snapshot = registry(
                entries { manifestText("m\($0)", requires: ["s\(($0 + 1) % Self.count)"], provides: ["s\($0)"]) }
            ).snapshot
            #expect(snapshot.modules.allSatisfy { $0.state.refusal?.code == .serviceCycle })
            #expect(
                snapshot.module(from: "Manifests/2500.json")?.state.refusal?.cause
                    == "modules require each other: m2500 → m2501 → m2502 → m2503 → … → m2498 → m2499 → m2500")
        }
    }

    @Test("Each module that claims a route too late has it listed as lost")
    func lostRoutes() throws {
        try expectFast {
            let registry = registry([try catalogEntry("first", routes: ["same"])])
            registry.register(entries { manifestText("m\($0)", routes: ["own/m\($0)", "same"]) })
            let snapshot = registry.snapshot
            for record in snapshot.modules {
                #expect(snapshot.lostRoutes(of: record).map(\.route.name) == (record.name == "first" ? [] : ["same"]))
            }
            #expect(RouteListing(of: snapshot).entries.count == Self.count + 1)
        }
    }

    @Test("The chosen provider of each module, and the contract of each user, are found by name")
    func lookups() throws {
        try expectFast {
            let users = entries { number in
                """
                {"name": "m\(number)", "version": "1.0.0", "library": "libM.so", "sdk": "1.0", "requires": ["s"],
                 "contracts": {"api": "1.0"}}
                """
            }
            let api = #"{"kind": "contract", "name": "api", "version": "1.0.0", "library": "libAPI.so", "sdk": "1.0"}"#
            let others = [
                try catalogEntry("one", provides: ["s"]), try catalogEntry("two", provides: ["s"]),
                CatalogEntry(file: "Manifests/api.json", text: .success(Data(api.utf8))),
            ]
            func provider(_ number: Int) -> String { number % 2 == 0 ? "one" : "two" }
            let choices = (0..<Self.count).map { ("m\($0).s", provider($0)) }
            let registry = Registry(
                wiring: ServiceWiring(hostServices: [], choices: Dictionary(uniqueKeysWithValues: choices)))
            registry.register(users + others)
            let snapshot = registry.snapshot
            for number in 0..<Self.count {
                let record = try #require(snapshot.module(from: "Manifests/\(number).json"))
                #expect(snapshot.providers(for: record)["s"]?.name == provider(number))
                let manifest = try #require(record.manifest)
                // Looking at all modules each time would exceed the processor time.
                for _ in 0..<3 { #expect(snapshot.contracts(of: manifest).map(\.name) == ["api"]) }
            }
            #expect(snapshot.services.first { $0.name == "s" }?.choices.count == Self.count)
        }
    }

    /// Returns modules in a circle, each optionally using all services of the next, so that all services are withheld.
    private func circle(of services: Int) -> RegistrySnapshot {
        let count = 10
        func list(_ module: Int) -> String {
            "[\((0..<services).map { "\"s\(module)x\($0)\"" }.joined(separator: ", "))]"
        }
        let entries = (0..<count).map { module in
            let text = """
                {"name": "m\(module)", "version": "1.0.0", "library": "libM.so", "sdk": "1.0",
                 "provides": \(list(module)), "optional": \(list((module + 1) % count))}
                """
            return CatalogEntry(file: "Manifests/\(module).json", text: .success(Data(text.utf8)))
        }
        return registry(entries).snapshot
    }

    @Test("The reasons for withheld services grow linearly with the services")
    func withheld() throws {
        expectFast {
            func length(_ services: Int) -> Int {
                let snapshot = circle(of: services)
                let errors = snapshot.modules.flatMap { snapshot.withheldServices(from: $0).values }
                #expect(errors.count == 10 * services)
                return errors.reduce(0) { $0 + $1.description.count }
            }
            // If each reason listed all services, the length would grow 16 times.
            #expect(length(1_000) < 6 * length(250))
        }
    }

    @Test("A change of one module's state does not rebuild all routes")
    func states() throws {
        expectFast {
            let entries = (0..<10).map { module in
                let text = manifestText("m\(module)", routes: (0..<1_000).map { "m\(module)/r\($0)" })
                return CatalogEntry(file: "Manifests/\(module).json", text: .success(Data(text.utf8)))
            }
            let registry = registry(entries)
            #expect(RouteListing(of: registry.snapshot).entries.count == 10_000)
            // Rebuilding the tables each time would take minutes.
            let pending = PendingStep(kind: .trial, error: nil, since: .now, next: nil)
            for count in 0..<10_000 {
                _ = registry.write { draft in
                    draft.update("Manifests/3.json") { record in
                        record.pending = count.isMultiple(of: 2) ? pending : nil
                        return true
                    }
                }
            }
            #expect(registry.snapshot.routes.all.count == 10_000)
        }
    }

    @Test("The closest name is found among many long ones")
    func nearNames() throws {
        expectFast {
            let beginning = String(repeating: "a", count: 120)
            // Comparing each character with each would take a minute.
            let names = (0..<2_000).map { "\(beginning)\(String($0, radix: 36))-x" }
            #expect(nearestNames(to: beginning + "wxyz", in: names + [beginning + "wxyy"]).first == beginning + "wxyy")
        }
    }

    @Test("Shutdown retires many modules within the time limit")
    func end() async throws {
        let host = HostedModules(
            entries { manifestText("m\($0)", routes: ["own/m\($0)"]) }, linkedTo: [:],
            services: ServiceContainer(timeLimit: Patience.limit))
        let start = ContinuousClock.now
        await host.shutDown()
        #expect(ContinuousClock.now - start < Patience.limit)
        #expect(host.registry.snapshot.modules.allSatisfy { $0.state == .retired })
    }
}

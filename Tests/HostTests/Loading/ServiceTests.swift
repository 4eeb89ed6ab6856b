import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ServiceTests {
    /// Returns a root with the module `wiring`, and a module `asker` that requires one of its services.
    private func root(requiring service: String = "time") async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.wiring, .wiring)
        var manifest = ManifestText("asker", library: "libAsker.so", routes: ["asker"])
        manifest.requires = [service]
        try await root.add(.asker, manifest)
        return root
    }

    private func run(_ words: String..., requiring service: String = "time") async throws -> ChildResult {
        let root = try await root(requiring: service)
        let result = try await root.host("run") { $0.arguments += words }
        #expect(try await root.host("run", "list").text == RunTests.list)
        return result
    }

    @Test("A module gets a service that it provides")
    func works() async throws {
        let result = try await run("wiring", "service=time")
        #expect(result.ending == .code(0))
        #expect(result.text == "noon\n")
        #expect(result.errors == "")
    }

    @Test("A function of standard types crosses between modules, and a protocol of a module does not")
    func exchanged() async throws {
        let root = try ScratchRoot()
        var giver = ManifestText("giver", library: "libGiver.so", routes: ["giver"])
        giver.provides = ["numbers", "greeter"]
        var taker = ManifestText("taker", library: "libTaker.so", routes: ["taker"])
        taker.requires = ["numbers", "greeter"]
        try await root.add(.exchange("Giver"), giver)
        try await root.add(.exchange("Taker"), taker)
        #expect(try await root.host("run", "giver").text == "0, 1, 2\nGood day\n")
        #expect(try await root.host("run", "taker").text == "0, 1, 2\nservice-type-mismatch\n")
    }

    @Test("A service of the module itself cannot be resolved before it is made")
    func notReady() async throws {
        let result = try await run("wiring", "service=time-now")
        #expect(result.ending == .code(70))
        #expect(
            result.errors == """
                host: cannot open route "wiring": cannot resolve service "time": it has not been created yet
                  requested by  module wiring → time
                  fix: call "try await resolveOrCreate(_:)" instead of "resolve(_:)"

                """)
    }

    @Test("Services that need each other fail with the whole cycle")
    func cycle() async throws {
        let left = try await run("asker", requiring: "left")
        #expect(left.ending == .code(70))
        #expect(
            left.errors == """
                host: cannot create module "asker": cannot create service "left": it depends on itself: left → right → left
                  requested by  module asker → left → right → left
                  fix: resolve one of them later, when it is used

                """)
        let right = try await run("asker", requiring: "right")
        #expect(right.ending == .code(70))
        // The provider has its own instance of `right`, and the module another one.
        #expect(right.errors.contains("it depends on itself: left → right → left\n"), "\(right)")
        #expect(right.errors.contains("module asker → right → left → right → left\n"), "\(right)")
    }

    @Test("A service that the manifest does not declare is denied, even if it exists")
    func denied() async throws {
        for service in ["logger", "unheard-of"] {
            let result = try await run("wiring", "service=\(service)")
            #expect(result.ending == .code(70))
            #expect(
                result.errors == """
                    host: cannot open route "wiring": cannot resolve service "\(service)": the module "wiring" does not require it
                      requested by  module wiring → \(service)
                      fix: add "\(service)" to "requires" in Manifests/wiring.json

                    """)
        }
    }

    @Test("The error of a failed service names its provider and the reason")
    func broken() async throws {
        let result = try await run("asker", requiring: "broken")
        #expect(result.ending == .code(70))
        #expect(
            result.errors == """
                host: cannot create module "asker": cannot create service "broken": its provider "wiring" failed: Mishap()
                  requested by  module asker → broken

                """)
    }

    @Test("A declared service that the code does not register refuses the module")
    func unregistered() async throws {
        let root = try ScratchRoot()
        var manifest = ManifestText.wiring
        manifest.provides.append("moon")
        try await root.add(.wiring, manifest)
        let result = try await root.host("run", "wiring", "service=time")
        #expect(result.ending == .code(70))
        #expect(
            result.errors == """
                host: cannot use module "wiring": its manifest declares the service "moon", but its code does not register it
                  manifest  Manifests/wiring.json
                  fix: register in register(with:) exactly what the manifest declares

                """)
    }

    @Test("A module gets a service of another dropped-in module")
    func crossing() async throws {
        let root = try await root()
        let result = try await root.host("run", "asker")
        #expect(result.ending == .code(0))
        #expect(result.text == "It is noon\n", "\(result)")
        let services = try await root.host("services").text
        #expect(services.contains("\ntime               wiring       asker\n"), "\(services)")
    }
}

extension ModuleFixture {
    fileprivate static let asker = ModuleFixture(
        "Asker",
        """
        import ViperKit

        @c(viper_entry_v1_Asker)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Asker.self) }

        final class Asker: Module {
            private let time: String
            init(services: any ServiceResolver) throws { time = try services.resolve(ServiceKey<String>("time")) }
            static func register(with registrar: Registrar<Asker>) {
                registrar.route("asker") { module, request in module.view(for: request) }
            }

            func view(for request: RouteRequest) -> any View { Answer(time) }
        }

        final class Answer: View {
            let screen: Screen
            init(_ time: String) { screen = Screen(title: "It is \\(time)") }
        }
        """)
}

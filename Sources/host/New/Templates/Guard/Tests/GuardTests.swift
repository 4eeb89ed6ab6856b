import Testing
import ViperKit
import ViperTesting

@testable import GuardTemplate

@MainActor
struct GuardTemplateModuleTests {
    private func decision(_ configuration: Configuration) async throws -> RouteDecision {
        let host = try TestHost(GuardTemplateModule.self, manifest: "guard-template.json") { setup in
            setup.provide(.configuration, configuration)
        }
        let opening = GuardedOpening(route: "list", parameters: [:], identity: "ada")
        return try await host.provided(.routeGuard).decide(on: opening)
    }

    @Test("without a reason, routes open")
    func open() async throws {
        #expect(try await decision(Configuration([:], unset: ["reason"])) == .allow)
    }

    @Test("with a reason, routes stay shut and the user reads it")
    func shut() async throws {
        let configuration = Configuration(["reason": .string("we are closed")])
        #expect(try await decision(configuration) == .refuse(because: "we are closed"))
    }
}

import Testing
import ViperKit
import ViperTesting

@testable import ServiceTemplate

struct MemoryProviderTests {
    @Test("the provider passes the checks for all data providers")
    func passesChecks() async {
        var providers: [String: MemoryProvider] = [:]
        await checkDataProvider { store in
            let provider = providers[store] ?? MemoryProvider(json: TestJSONCoder())
            providers[store] = provider
            return provider
        }
    }
}

@MainActor
struct ServiceTemplateModuleTests {
    @Test("the module registers the service that its manifest provides")
    func registering() async throws {
        let host = try TestHost(ServiceTemplateModule.self, manifest: "service-template.json") { services in
            services.provide(.json, TestJSONCoder())
        }
        let provider = try await host.provided(.dataProvider)
        #expect(provider is MemoryProvider)
    }
}

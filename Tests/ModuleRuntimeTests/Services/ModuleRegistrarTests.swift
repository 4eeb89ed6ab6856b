import HostDriver
import Testing
import ViperKit

@testable import ModuleRuntime

/// Registration of a module's services: those that its manifest provides, each once, and all of them.
struct ModuleRegistrarTests {
    private let container = ServiceContainer(timeLimit: Patience.limit)

    private func registrar(_ provides: String...) -> ModuleRegistrar {
        ModuleRegistrar(services: container.services("p", "c"), provides: provides)
    }

    private func failure(_ body: () throws -> Void) throws -> ViperError {
        let error = try #require(throws: ViperError.self, performing: body)
        #expect(error.code == .serviceUndeclared)
        #expect(error.operation == "cannot register service")
        return error
    }

    @Test("A declared service is registered, and its factory resolves the provider's services")
    func declared() async throws {
        let registrar = registrar("a")
        container.provide(.c) { _ in Numbered(5) }
        try registrar.register(.a, scope: .singleton) { Numbered(try await $0.resolveOrCreate(.c).number + 1) }
        try registrar.checkCompleteness()
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 6)
        withExtendedLifetime(registrar) {}
    }

    @Test("An undeclared service is refused and not registered")
    func undeclared() throws {
        let error = try failure { try registrar("a").register(.b, scope: .singleton) { _ in Numbered(1) } }
        #expect(error.subject == "b")
        #expect(error.cause == "the manifest of \"p\" does not provide it")
        #expect(error.fix == "add it to \"provides\" in Manifests/p.json")
        #expect(container.names.isEmpty)
    }

    @Test("A service that is registered twice is refused")
    func twice() throws {
        let registrar = registrar("a")
        try registrar.register(.a, scope: .singleton) { _ in Numbered(1) }
        let error = try failure { try registrar.register(.a, scope: .perModule) { _ in Numbered(2) } }
        #expect(error.subject == "a")
        #expect(error.cause == "it is registered twice")
    }

    @Test("An unknown scope is refused and not treated as a known one")
    func unknownScope() throws {
        let registrar = registrar("a")
        let error = try #require(throws: ViperError.self) {
            try registrar.register(.a, scope: ServiceScope(rawValue: "per-scene")) { _ in Numbered(1) }
        }
        #expect(error.code == .scopeUnknown)
        #expect(error.subject == "a")
        #expect(error.cause == "the scope is \"per-scene\", expected \"singleton\" or \"per-module\"")
        #expect(container.names.isEmpty)
    }

    @Test("A declared service that the code does not register is named")
    func leftOut() throws {
        let registrar = registrar("a", "b")
        try registrar.register(.a, scope: .singleton) { _ in Numbered(1) }
        let error = try failure { try registrar.checkCompleteness() }
        #expect(error.subject == "b")
        #expect(error.cause == "the manifest of \"p\" provides it, but its code does not register it")
    }

    @Test("A factory cannot resolve a service that its provider does not require")
    func factoryDenied() async throws {
        let registrar = registrar("a")
        try registrar.register(.a, scope: .singleton) { try $0.resolve(.b) }
        let error = try await #require(throws: ViperError.self) {
            try await container.services("m", "a").resolveOrCreate(.a)
        }
        #expect(error.code == .serviceDenied)
        #expect(error.cause == "the module \"p\" does not require it")
        #expect(error.notes == [.init("requested by", "module m → a → b")])
        // The factory works as long as its module does.
        withExtendedLifetime(registrar) {}
    }
}

import Synchronization
import ViperKit

@testable import ModuleRuntime

/// A service that is identified by a number.
final class Numbered: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

extension ServiceKey where Service == Numbered {
    static var a: Self { Self("a") }
    static var b: Self { Self("b") }
    static var c: Self { Self("c") }
    static var d: Self { Self("d") }
}

extension ServiceContainer {
    /// Returns the number of requests that are waiting for a service, or nil if the service is not registered.
    func waiters(of key: ServiceKey<Numbered>) -> Int? {
        slot(key.name).map { slot in
            creations.state.withLock { $0.running[ObjectIdentifier(slot)]?.waiters.count ?? 0 }
        }
    }

    /// Returns the services that a module may resolve from this container.
    func services(_ module: String, _ allowed: String...) -> ModuleServices {
        ModuleServices(
            consumer: ServiceConsumer(
                module: module, manifestFile: "Manifests/\(module).json", allowed: Set(allowed), folders: []),
            own: self, host: self, providers: [:])
    }

    /// Registers a service whose provider may resolve the services `a` to `d`.
    @discardableResult
    func provide(
        _ key: ServiceKey<Numbered>, scope: ServiceScope = .singleton,
        _ factory: @escaping @Sendable (any ServiceResolver) async throws -> Numbered
    ) -> Bool {
        let services = services("p\(key.name)", "a", "b", "c", "d")
        return register(key, provider: "p\(key.name)", scope: scope) { _ in try await factory(services) }
    }
}

extension ModuleServices {
    /// Returns the error of a request. Nil if it succeeds.
    func failure(_ key: ServiceKey<Numbered>) async -> ViperError? {
        do {
            _ = try await resolveOrCreate(key)
            return nil
        } catch {
            return error
        }
    }
}

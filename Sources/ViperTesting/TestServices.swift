import ModuleRuntime
public import ViperKit

/// The services that a test provides to its module.
public struct TestServices {
    let container = ServiceContainer()
    private(set) var all: [Any] = []

    /// Provides a service. It replaces the host's own service and any earlier one with the same key.
    public mutating func provide<Service>(_ key: ServiceKey<Service>, _ service: Service) {
        all.append(service)
        // Not a valid module name, so it never matches a module.
        let provider = "the test's \(key.name)"
        container.removeAll(from: provider)
        _ = container.register(key, provider: provider, scope: .singleton) { _ in service }
    }
}

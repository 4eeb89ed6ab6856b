import ModuleRuntime
public import ViperKit

/// The services that a test provides to the module under test.
public struct TestServices {
    // The time limit is longer than a host's, because many tests can run at once on a busy machine.
    let container = ServiceContainer(timeLimit: .seconds(60))
    private(set) var all: [Any] = []

    /// Provides a service in place of the host's service. Replaces any service that was provided earlier for the same
    /// key.
    public mutating func provide<Service>(_ key: ServiceKey<Service>, _ service: Service) {
        all.append(service)
        // This name is not a valid module name, so it never matches a module.
        let provider = "the test's \(key.name)"
        container.removeAll(from: provider)
        _ = container.register(key, provider: provider, scope: .singleton) { _ in service }
    }
}

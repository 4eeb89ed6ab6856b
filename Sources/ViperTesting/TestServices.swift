public import ViperKit
import ViperRuntime

/// The services that a test gives to its module.
public struct TestServices {
    let container = ServiceContainer()
    private(set) var all: [Any] = []

    /// Provides one service, in place of any that a host would have under this name.
    public mutating func provide<Service>(_ key: ServiceKey<Service>, _ service: Service) {
        all.append(service)
        // No module can have this name.
        let provider = "the test's \(key.name)"
        container.removeAll(from: provider)
        _ = container.register(key, provider: provider, scope: .singleton) { _ in service }
    }
}

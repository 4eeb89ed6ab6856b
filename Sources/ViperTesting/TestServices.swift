public import ViperKit
import ViperRuntime

/// The services that a test gives to its module.
public struct TestServices {
    let container = ServiceContainer()
    private(set) var all: [Any] = []

    /// Provides one service, in place of any that a host would have under this name.
    public mutating func provide<Service>(_ key: ServiceKey<Service>, _ service: Service) {
        all.append(service)
        container.removeAll(from: key.name)
        _ = container.register(key, provider: key.name, scope: .singleton) { _ in service }
    }
}

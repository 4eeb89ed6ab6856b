import HostSystem
import Synchronization
@_spi(Host) package import ViperKit

/// The services that the host or one generation of a module provides.
package final class ServiceContainer: Sendable {
    private let slots = Mutex<[String: ServiceSlot]>([:])
    let creations: ServiceCreations

    /// Creates an empty container.
    ///
    /// - Parameter timeLimit: The maximum time for creating a service, and for creating all services that a module
    ///   needs before its initializer runs. The default is shorter than the time that a worker has to create its
    ///   module. A provider that hangs therefore does not cause its consumer's library to be quarantined.
    package init(timeLimit: Duration = .seconds(8), clock: some Clock<Duration> = ContinuousClock()) {
        creations = ServiceCreations(timeLimit: timeLimit, clock: ServiceClock(clock))
    }

    /// Creates a container that shares the running creations of another container, because services in one container
    /// may need services in the other container.
    init(beside other: ServiceContainer) { creations = other.creations }

    /// Registers a factory for a service.
    ///
    /// - Returns: False if the name is already in use.
    package func register<Service: Sendable>(
        _ key: ServiceKey<Service>, provider: String, scope: ServiceScope,
        make: @escaping @Sendable (ServiceConsumer) async throws -> Service
    ) -> Bool {
        register(ServiceSlot(key.name, provider: provider, scope: scope) { ServiceBox(try await make($0)) })
    }

    /// Registers a service under the slot's name.
    ///
    /// - Returns: False if the name is already in use.
    @discardableResult
    func register(_ slot: ServiceSlot) -> Bool {
        slots.withLock { slots in
            guard slots[slot.name] == nil else { return false }
            slots[slot.name] = slot
            return true
        }
    }

    package func removeAll(from provider: String) {
        // The services are released after the lock, because that can run code of modules.
        _ = slots.withLock { slots in
            defer { slots = slots.filter { $0.value.provider != provider } }
            return slots
        }
    }

    package var names: Set<String> { slots.withLock { Set($0.keys) } }

    func slot(_ name: String) -> ServiceSlot? { slots.withLock { $0[name] } }

    /// Returns a service, creating it if necessary. Only tests call this method.
    package func resolveOrCreate<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
        let consumer = ServiceConsumer(module: "test", manifestFile: "the test", allowed: [key.name], folders: [])
        return try await ModuleServices(consumer: consumer, own: self, host: self, providers: [:]).resolveOrCreate(key)
    }
}

import HostSystem
import ModuleCatalog
import Synchronization
@_spi(Host) package import ViperKit

/// The services that a module's generation can use.
package final class ModuleServices: ServiceResolver {
    private struct Given {
        /// The created services, keyed by service name.
        var made: [String: ServiceSlot.Made] = [:]
        /// The slots that this module does not share with other modules, keyed by service name.
        var slots: [String: ServiceSlot] = [:]
        /// The errors for optional services that could not be created, keyed by service name.
        var failures: [String: ViperError] = [:]
    }

    let consumer: ServiceConsumer
    let own: ServiceContainer
    private let host: ServiceContainer
    /// The services that generations of other modules provide, keyed by service name.
    private let providers: [String: ServiceContainer]
    /// The errors for optional services that are not available, keyed by service name.
    private let withheld: [String: ViperError]
    /// The services that the module collects, keyed by name.
    private let collecting: [String: any ServiceCollecting]
    private let given = Mutex(Given())

    package init(
        consumer: ServiceConsumer, own: ServiceContainer, host: ServiceContainer, providers: [String: ServiceContainer],
        withheld: [String: ViperError] = [:], collecting: [String: any ServiceCollecting] = [:]
    ) {
        (self.consumer, self.own, self.host) = (consumer, own, host)
        (self.providers, self.withheld, self.collecting) = (providers, withheld, collecting)
    }

    package func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
        do { return try ready(key) } catch {
            ServiceCreation.current?.add(error)
            throw error
        }
    }

    package func resolveOrCreate<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
        do { return try ServiceBox.open(try await made(key.name), as: key) } catch {
            ServiceCreation.current?.add(error)
            throw error
        }
    }

    package func all<Service>(
        _ key: ServiceKey<Service>
    ) throws(ViperError) -> AsyncStream<[OfferedService<Service>]> {
        guard let collecting = collecting[key.name] else {
            let error = denial(of: key.name, because: "does not collect it", fix: "collects")
            consumer.onDenial?(error)
            throw error
        }
        return collecting.collection().services(key)
    }

    private func ready<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
        if let made = given.withLock({ $0.made[key.name] }) { return try ServiceBox.open(made, as: key) }
        let slot = try slot(key.name)
        // The service may already exist because another module requested it.
        if let made = slot.made { return try ServiceBox.open(keep(made, as: key.name), as: key) }
        if let failure = given.withLock({ $0.failures[key.name] }) { throw failure }
        throw ViperError(
            .serviceNotReady, operation: "cannot resolve service", subject: key.name,
            cause: "it has not been created yet",
            notes: [asked(for: key.name)],
            fix: "call \"try await resolveOrCreate(_:)\" instead of \"resolve(_:)\"")
    }

    /// Creates the services that the module's initializer may resolve, in the manifest's order. All of them share a
    /// single time limit, so several services that hang take no longer than one. If an optional service cannot be
    /// created, the initializer gets the error when it resolves the service.
    ///
    /// - Throws: The error for a required service that cannot be created.
    func prepareAll(for manifest: Manifest) async throws(ViperError) {
        // The module's own services are registered later.
        let others = Set(manifest.requires + manifest.optional).subtracting(consumer.provides)
            .subtracting([consumer.withheld].compactMap { $0 })
        var time = PreparationTime(limit: host.creations.timeLimit, clock: host.creations.clock)
        for name in manifest.requires where others.contains(name) { try await prepare(name, in: &time) }
        for name in manifest.optional where others.contains(name) {
            do { try await prepare(name, in: &time) } catch { given.withLock { $0.failures[name] = error } }
        }
    }

    /// Creates a service within the remaining time.
    private func prepare(_ name: String, in time: inout PreparationTime) async throws(ViperError) {
        let slot = try slot(name)
        if slot.made == nil, time.isOver { throw time.error(for: name, asked(for: name)) }
        let start = time.now
        defer { time.add(time.now - start, for: slot) }
        do {
            _ = try await made(name, until: time.deadline)
        } catch {
            throw error.code == .timeLimit && time.isOver && time.isMostly(before: start)
                ? time.error(for: name, asked(for: name)) : error
        }
    }

    private func made(
        _ name: String, until deadline: Duration? = nil
    ) async throws(ViperError) -> ServiceSlot.Made {
        if let made = given.withLock({ $0.made[name] }) { return made }
        return keep(try await host.creations.service(of: try slot(name), for: consumer, until: deadline), as: name)
    }

    private func keep(_ made: ServiceSlot.Made, as name: String) -> ServiceSlot.Made {
        given.withLock { $0.made[name] = made }
        return made
    }

    /// Returns the slot for a service that this module may use.
    private func slot(_ name: String) throws(ViperError) -> ServiceSlot {
        if name == consumer.withheld {
            throw ViperError(
                .serviceMissing, operation: "cannot resolve service", subject: name, cause: "it is withheld by a test")
        }
        guard consumer.allowed.contains(name) else {
            let error = denial(of: name, because: "does not require it", fix: "requires")
            consumer.onDenial?(error)
            throw error
        }
        let isOwn = consumer.provides.contains(name)
        if !isOwn, let error = withheld[name] { throw error }
        let container = isOwn ? own : providers[name] ?? host
        let isLost = container === host && consumer.elsewhere.contains(name)
        guard !isLost, let slot = container.slot(name) else { throw missing(name, in: container) }
        if slot.scope == .singleton { return slot }
        return given.withLock { given in
            if let slot = given.slots[name] { return slot }
            let copy = slot.copy()
            given.slots[name] = copy
            return copy
        }
    }

    private func denial(of name: String, because cause: String, fix key: String) -> ViperError {
        ViperError(
            .serviceDenied, operation: "cannot resolve service", subject: name,
            cause: "the module \"\(consumer.module)\" \(cause)", notes: [asked(for: name)],
            fix: "add \"\(name)\" to \"\(key)\" in \(consumer.manifestPlace)")
    }

    private func missing(_ name: String, in container: ServiceContainer) -> ViperError {
        let near = nearestNames(to: name, in: container.names)
        return ViperError(
            .serviceMissing, operation: "cannot resolve service", subject: name, cause: "no module provides it",
            notes: [asked(for: name)] + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]))
    }

    /// Returns a note with the request path to a service. The path begins with the module that made the first request,
    /// because that module must be changed.
    private func asked(for name: String) -> ViperError.Note {
        host.creations.path(for: consumer.module).appending(name).note
    }
}

import HostSystem
import Synchronization
package import ViperKit

/// Creates services and keeps the shared ones.
///
/// Finding a service that already exists takes only a short lock. Services are created one at a time, under a recursive
/// lock: a factory may resolve the services that its own service needs. The services that are being created therefore
/// form the path of a dependency cycle, whichever resolver the factories use.
package final class ServiceContainer: Sendable {
    typealias Made = any AnyObject & Sendable

    private struct Binding {
        var provider: String
        var scope: ServiceScope
        var make: @Sendable (ServiceConsumer) throws -> Made
        var shared: Made?
        /// Distinguishes this registration from a later one with the same name.
        let registration = Registration()
    }

    private final class Registration: Sendable {}

    /// The state that containers share if their services may need each other.
    private final class Making: Sendable {
        let lock = RecursiveMutex()
        // The services that are being created, outermost first. Changed only while the lock is held.
        let chain = Mutex<[(module: String, service: String)]>([])
    }

    private let bindings = Mutex<[String: Binding]>([:])
    private let making: Making

    package init() { making = Making() }

    /// Creates a container whose services may need those of another container.
    init(beside other: ServiceContainer) { making = other.making }

    /// Registers the factory of a service.
    ///
    /// - Returns: False if the name is already in use.
    package func register<Service: Sendable>(
        _ key: ServiceKey<Service>, provider: String, scope: ServiceScope,
        make: @escaping @Sendable (ServiceConsumer) throws -> Service
    ) -> Bool {
        bindings.withLock { bindings in
            guard bindings[key.name] == nil else { return false }
            bindings[key.name] = Binding(provider: provider, scope: scope) { ServiceBox(try make($0)) }
            return true
        }
    }

    package func removeAll(from provider: String) {
        bindings.withLock { bindings in bindings = bindings.filter { $0.value.provider != provider } }
    }

    func names(from provider: String) -> Set<String> {
        bindings.withLock { bindings in Set(bindings.filter { $0.value.provider == provider }.keys) }
    }

    package var names: Set<String> { bindings.withLock { Set($0.keys) } }

    /// Returns any service, for tests.
    package func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
        try resolve(
            key, for: ServiceConsumer(module: "test", manifestFile: "the test", allowed: [key.name], folders: []))
    }

    func resolve<Service>(
        _ key: ServiceKey<Service>, for consumer: ServiceConsumer
    ) throws(ViperError) -> Service {
        if let made = try binding(key.name, for: consumer).shared { return try unpack(made, as: key) }
        return try making.lock.withLock { () throws(ViperError) in
            // Another thread may have created the service before the lock was acquired.
            let binding = try binding(key.name, for: consumer)
            if let made = binding.shared { return try unpack(made, as: key) }
            let made = try make(key.name, with: binding, for: consumer)
            // Keep the service before its type is checked. Otherwise each request for a wrong type would
            // create it again.
            if binding.scope == .singleton { keep(made, of: binding, named: key.name) }
            return try unpack(made, as: key)
        }
    }

    func denial(of name: String, to consumer: ServiceConsumer) -> ViperError {
        ViperError(
            .serviceDenied, "cannot resolve service", name,
            cause: "the module \"\(consumer.module)\" does not require it", notes: [asked(name, by: consumer)],
            recoverySuggestion: "add \"\(name)\" to \"requires\" in \(consumer.manifestPlace)")
    }

    private func keep(_ made: Made, of binding: Binding, named name: String) {
        bindings.withLock { bindings in
            // The module may have been removed, and another one may have registered the name.
            if bindings[name]?.registration === binding.registration { bindings[name]?.shared = made }
        }
    }

    private func binding(_ name: String, for consumer: ServiceConsumer) throws(ViperError) -> Binding {
        if let binding = bindings.withLock({ $0[name] }) { return binding }
        let near = nearestNames(to: name, in: names)
        throw ViperError(
            .serviceMissing, "cannot resolve service", name, cause: "no module provides it",
            notes: [asked(name, by: consumer)]
                + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]))
    }

    private func make(
        _ name: String, with binding: Binding, for consumer: ServiceConsumer
    ) throws(ViperError) -> Made {
        let outer = making.chain.withLock { $0.map(\.service) }
        guard !outer.contains(name) else {
            let cycle = (outer.drop { $0 != name } + [name]).joined(separator: " → ")
            throw ViperError(
                .serviceCycle, "cannot create service", name, cause: "it depends on itself: \(cycle)",
                notes: [asked(name, by: consumer)],
                recoverySuggestion: "resolve one of them later, when it is used")
        }
        making.chain.withLock { $0.append((consumer.module, name)) }
        defer { making.chain.withLock { _ = $0.removeLast() } }
        do {
            return try binding.make(consumer)
        } catch let error as ViperError where error.code.isAboutServices {
            throw error
        } catch {
            let reason = error as? ViperError
            throw ViperError(
                .serviceFailed, "cannot create service", name,
                cause: "its provider \"\(binding.provider)\" failed: \(reason?.summary ?? "\(error)")",
                notes: [asked(by: consumer)] + (reason?.notes ?? []), recoverySuggestion: reason?.recoverySuggestion)
        }
    }

    private func unpack<Service>(_ made: Made, as key: ServiceKey<Service>) throws(ViperError) -> Service {
        // A cast between classes compares two addresses. A cast to a protocol would search every loaded image.
        if let box = made as? ServiceBox<Service> { return box.service }
        throw ViperError(
            .serviceType, "cannot resolve service", key.name,
            cause: "it is requested as \(Service.self), but provided as another type",
            recoverySuggestion: "use the same ServiceKey on both sides; modules share types of ViperKit only")
    }

    /// Returns a note with the path to a service: the module, the services that this thread is creating, and the
    /// requested service.
    ///
    /// - Parameter name: The requested service. Nil if it is already being created.
    private func asked(_ name: String? = nil, by consumer: ServiceConsumer) -> ViperError.Note {
        // If another thread holds the lock, the chain is not part of this request.
        let making = making.lock.isHeldByThisThread ? making.chain.withLock { $0 } : []
        // Name the module that made the first request, because that module has to change.
        let asker = making.first?.module ?? consumer.module
        let way = ["module \(asker)"] + making.map(\.service) + (name.map { [$0] } ?? [])
        return .init("requested by", way.joined(separator: " → "))
    }
}

/// A class around a value, because the type of a service may be a protocol.
private final class ServiceBox<Service: Sendable>: Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}

extension ViperError.Code {
    fileprivate var isAboutServices: Bool {
        [.serviceMissing, .serviceDenied, .serviceCycle, .serviceType, .serviceFailed].contains(self)
    }
}

import HostSystem
import Synchronization
package import ViperKit

/// Makes and keeps the services that modules share.
///
/// A service that was made once is found under a short lock. Making happens one at a time, in a lock that a factory may
/// enter again when it resolves what its own service needs: the services in the making are then the way that leads to a
/// cycle, whichever resolver the factory used.
package final class ServiceContainer: Sendable {
    typealias Made = any AnyObject & Sendable

    /// How a service is made, and what was made.
    private struct Binding {
        var provider: String
        var scope: ServiceScope
        var make: @Sendable (ServiceConsumer) throws -> Made
        var shared: Made?
        /// Tells this registration from a later one under the same name.
        let registration = Registration()
    }

    private final class Registration: Sendable {}

    /// What containers have in common whose services need each other.
    private final class Making: Sendable {
        let lock = RecursiveMutex()
        // The names of the services in the making, outermost first. Changed only inside the lock.
        let chain = Mutex<[(module: String, service: String)]>([])
    }

    private let bindings = Mutex<[String: Binding]>([:])
    private let making: Making

    /// A container without services.
    package init() { making = Making() }

    /// A container without services, for a module whose services may need those of another one.
    init(beside other: ServiceContainer) { making = other.making }

    /// Registers how a service is made.
    ///
    /// - Returns: Whether the name was free.
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

    /// Forgets what a module registered.
    package func removeAll(from provider: String) {
        bindings.withLock { bindings in bindings = bindings.filter { $0.value.provider != provider } }
    }

    /// The names of all services that a module registered.
    func names(from provider: String) -> Set<String> {
        bindings.withLock { bindings in Set(bindings.filter { $0.value.provider == provider }.keys) }
    }

    /// The names of all services.
    package var names: Set<String> { bindings.withLock { Set($0.keys) } }

    /// The service with this key, for a test, which may ask for any.
    package func resolve<Service>(_ key: ServiceKey<Service>) throws(ViperError) -> Service {
        try resolve(
            key, for: ServiceConsumer(module: "test", manifestFile: "the test", allowed: [key.name], folders: []))
    }

    func resolve<Service>(
        _ key: ServiceKey<Service>, for consumer: ServiceConsumer
    ) throws(ViperError) -> Service {
        if let made = try binding(key.name, for: consumer).shared { return try unpack(made, as: key) }
        return try making.lock.withLock { () throws(ViperError) in
            // Another thread may have made it while this one waited.
            let binding = try binding(key.name, for: consumer)
            if let made = binding.shared { return try unpack(made, as: key) }
            let made = try make(key.name, with: binding, for: consumer)
            // Kept before it is looked at: one that is asked for as a wrong type was made all the same.
            if binding.scope == .singleton { keep(made, of: binding, named: key.name) }
            return try unpack(made, as: key)
        }
    }

    /// The error for a service that a module may not have.
    func denial(of name: String, to consumer: ServiceConsumer) -> ViperError {
        ViperError(
            .serviceDenied, "cannot give service", name,
            cause: "the module \"\(consumer.module)\" does not require it", notes: [asked(name, by: consumer)],
            mend: "add \"\(name)\" to \"requires\" in \(consumer.manifestPlace)")
    }

    private func keep(_ made: Made, of binding: Binding, named name: String) {
        bindings.withLock { bindings in
            // Meanwhile its module may have gone, and another one may have registered the name.
            if bindings[name]?.registration === binding.registration { bindings[name]?.shared = made }
        }
    }

    private func binding(_ name: String, for consumer: ServiceConsumer) throws(ViperError) -> Binding {
        if let binding = bindings.withLock({ $0[name] }) { return binding }
        let near = nearestNames(to: name, in: names)
        throw ViperError(
            .serviceMissing, "cannot give service", name, cause: "no module provides it",
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
                .serviceCycle, "cannot make service", name, cause: "it needs itself: \(cycle)",
                notes: [asked(name, by: consumer)], mend: "let one of them resolve the other later, when it is used")
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
                .serviceFailed, "cannot make service", name,
                cause: "its provider \"\(binding.provider)\" failed: \(reason?.summary ?? "\(error)")",
                notes: [asked(by: consumer)] + (reason?.notes ?? []), mend: reason?.mend)
        }
    }

    private func unpack<Service>(_ made: Made, as key: ServiceKey<Service>) throws(ViperError) -> Service {
        // A cast between classes compares two addresses; one to a protocol would search every loaded image.
        if let box = made as? ServiceBox<Service> { return box.service }
        throw ViperError(
            .serviceType, "cannot give service", key.name,
            cause: "it is asked for as \(Service.self), and provided as another type",
            mend: "use the same ServiceKey on both sides; modules share types of ViperKit only")
    }

    /// Who asked: the module, then every service that this thread has in the making, then the one that is wanted. None is
    /// when the one that failed is in the making itself.
    private func asked(_ name: String? = nil, by consumer: ServiceConsumer) -> ViperError.Note {
        // Outside the lock the chain is that of another thread, which has nothing to do with this question.
        let making = making.lock.isHeldByThisThread ? making.chain.withLock { $0 } : []
        // A service that is needed for another one is asked for by that one's provider; who began it is who has to know.
        let asker = making.first?.module ?? consumer.module
        let way = ["module \(asker)"] + making.map(\.service) + (name.map { [$0] } ?? [])
        return .init("asked for by", way.joined(separator: " → "))
    }
}

/// A service of a type that may be a protocol, as an object.
private final class ServiceBox<Service: Sendable>: Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}

extension ViperError.Code {
    fileprivate var isAboutServices: Bool {
        [.serviceMissing, .serviceDenied, .serviceCycle, .serviceType, .serviceFailed].contains(self)
    }
}

import Synchronization
@_spi(Host) import ViperKit

/// A registered service with its factory and, after creation, its instance.
final class ServiceSlot: Sendable {
    typealias Made = any AnyObject & Sendable

    let name: String
    let provider: String
    let scope: ServiceScope
    let make: @Sendable (ServiceConsumer) async throws -> Made
    private let kept = Mutex<Made?>(nil)

    init(
        _ name: String, provider: String, scope: ServiceScope,
        make: @escaping @Sendable (ServiceConsumer) async throws -> Made
    ) {
        (self.name, self.provider, self.scope, self.make) = (name, provider, scope, make)
    }

    /// The service instance. Nil if it has not been created. Lock order: the lock of ``ServiceCreations``, then this one.
    var made: Made? { kept.withLock { $0 } }

    /// Keeps the first service instance. Lock order: the lock of ``ServiceCreations``, then this one.
    func keep(_ made: Made) { kept.withLock { $0 = $0 ?? made } }

    /// Returns an empty slot with the same factory.
    func copy() -> ServiceSlot { ServiceSlot(name, provider: provider, scope: scope, make: make) }
}

extension ServiceBox {
    /// Returns the service in a box.
    ///
    /// - Throws: ``ViperError/Code/serviceTypeMismatch`` if the box contains a service of another type.
    static func open(_ made: ServiceSlot.Made, as key: ServiceKey<Service>) throws(ViperError) -> Service {
        // A cast between classes compares two addresses. A cast to a protocol would search every loaded image.
        if let box = made as? ServiceBox { return box.service }
        let (requested, provided) = (String(reflecting: Service.self), (made as? any TypedBox)?.typeName ?? "")
        throw ViperError(
            .serviceTypeMismatch, operation: "cannot resolve service", subject: key.name,
            cause: "it is requested as \(requested), but provided as "
                + (provided == requested ? "the type of this name in another library" : provided),
            fix: "use one type of ViperKit, of the standard library or of one contract in both modules; "
                + "modules share no other types")
    }
}

private protocol TypedBox { var typeName: String { get } }

extension ServiceBox: TypedBox {
    var typeName: String { String(reflecting: Service.self) }
}

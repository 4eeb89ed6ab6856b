import Synchronization
import ViperKit

/// A single run of a service's factory.
///
/// A creation retains neither the slot nor the service, because tasks that the factory starts retain the creation while
/// they are running.
final class ServiceCreation: Sendable {
    /// The creation whose factory is running in the current task. It is not stored in a resolver, because a factory may
    /// use the resolver of any module.
    @TaskLocal static var current: ServiceCreation?

    let service: String
    let provider: String
    /// The identity of the service's slot.
    let place: ObjectIdentifier
    /// The path of the first request. It consists of the module that made the request, and the services that lead to
    /// this service.
    let path: ServicePath
    /// The errors of the factory's requests for other services. Nil after the factory has ended.
    private let failures = Mutex<[ViperError]?>([])

    init(in slot: ServiceSlot, _ path: ServicePath) {
        (service, provider, place, self.path) = (slot.name, slot.provider, ObjectIdentifier(slot), path)
    }

    /// Runs the factory.
    ///
    /// - Parameter consumer: The module that made the first request.
    func run(_ slot: ServiceSlot, for consumer: ServiceConsumer) async -> Result<ServiceSlot.Made, ViperError> {
        defer { failures.withLock { $0 = nil } }
        do {
            return .success(try await Self.$current.withValue(self) { try await slot.make(consumer) })
        } catch let error as ViperError where isOfRequest(error) {
            return .failure(error)
        } catch {
            let reason = error as? ViperError
            return .failure(
                ViperError(
                    .serviceFailed, operation: "cannot create service", subject: service,
                    cause: "its provider \"\(provider)\" failed: \(reason?.summary ?? "\(error)")",
                    notes: [path.note] + (reason?.notes ?? []), fix: reason?.fix))
        }
    }

    /// Records the error of one of the factory's requests.
    func add(_ failure: ViperError) {
        failures.withLock { failures in
            guard failures?.contains(failure) == false else { return }
            failures?.append(failure)
        }
    }

    /// Returns true if one of the factory's requests failed with this error. Comparing only the code is not enough,
    /// because a factory can throw its own errors with any code.
    private func isOfRequest(_ error: ViperError) -> Bool { failures.withLock { $0?.contains(error) ?? false } }
}

/// The path of a request. It consists of the module that made the request, and the services that lead to the requested
/// service.
struct ServicePath: Sendable {
    private static let label = "requested by"
    private let text: String

    init(module: String) { text = "module \(module)" }
    private init(text: String) { self.text = text }

    func appending(_ service: String) -> Self { Self(text: "\(text) → \(service)") }

    var note: ViperError.Note { .init(Self.label, text) }

    /// Returns an error with this path replaced by another path to the same service.
    func replaced(by other: Self, in error: ViperError) -> ViperError {
        if text == other.text { return error }
        var error = error
        error.notes = error.notes.map { note in
            guard note.label == Self.label, note.text == text || note.text.hasPrefix("\(text) → ") else { return note }
            return .init(note.label, other.text + note.text.dropFirst(text.count))
        }
        return error
    }
}

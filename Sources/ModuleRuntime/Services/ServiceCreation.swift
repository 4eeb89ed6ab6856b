import Synchronization
import ViperKit

/// One run of a service's factory.
///
/// It holds neither the slot nor the service: tasks that a factory starts keep the creation for as long as they run.
final class ServiceCreation: Sendable {
    /// The creation whose factory runs in this task. A factory may use any module's resolver, so the resolver cannot
    /// tell.
    @TaskLocal static var current: ServiceCreation?

    let service: String
    let provider: String
    /// Identifies the slot.
    let place: ObjectIdentifier
    /// The first request: the module that made it, and the services that lead to this one.
    let path: ServicePath
    /// The errors of the factory's requests. Nil after the factory has ended.
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
                    .serviceFailed, "cannot create service", service,
                    cause: "its provider \"\(provider)\" failed: \(reason?.summary ?? "\(error)")",
                    notes: [path.note] + (reason?.notes ?? []), recoverySuggestion: reason?.recoverySuggestion))
        }
    }

    /// Remembers an error of a request by the factory.
    func add(_ failure: ViperError) {
        failures.withLock { failures in
            guard failures?.contains(failure) == false else { return }
            failures?.append(failure)
        }
    }

    /// Returns true if the host threw this error to the factory. A factory could throw any other error with a code of
    /// the host.
    private func isOfRequest(_ error: ViperError) -> Bool { failures.withLock { $0?.contains(error) ?? false } }
}

/// The way of a request: a module, and the services that lead to the requested one.
struct ServicePath: Sendable {
    private static let label = "requested by"
    private let text: String

    init(module: String) { text = "module \(module)" }
    private init(text: String) { self.text = text }

    func appending(_ service: String) -> Self { Self(text: "\(text) → \(service)") }

    var note: ViperError.Note { .init(Self.label, text) }

    /// Returns an error from this path as it is for a request that led to the same service on another path.
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

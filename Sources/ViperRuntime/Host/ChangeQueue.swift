import HostSystem
import JSONRPC
import Synchronization
import ViperKit

/// The changes of installed modules that clients have asked for. One runs, and a few wait. A change may try a library,
/// which takes long, so without a limit few clients would use up the host.
final class ChangeQueue: Sendable {
    /// A place in the queue. Its value is set when the change may start, or when its caller has left.
    typealias Place = OneShot<Void>

    /// The number of changes that may run and wait.
    static let limit = 5

    private let places = Mutex<[Place]>([])

    /// Returns the last place in the queue. The caller must call ``run(at:_:)`` with it.
    ///
    /// - Throws: ``ViperError/Code/busy`` if the queue is full.
    func place(for method: String) throws(ViperError) -> Place {
        let place = Place()
        let count = places.withLock { places in
            if places.count < Self.limit { places.append(place) }
            return places.contains { $0 === place } ? places.count : nil
        }
        guard let count else {
            throw ViperError(
                .busy, operation: "cannot answer", subject: method,
                cause: "another change of the installed modules is running, and \(Self.limit - 1) are waiting",
                fix: "retry when they have ended")
        }
        if count == 1 { place.set() }
        return place
    }

    /// Waits for the changes before this one, and makes it. If the task is cancelled, the change leaves the queue.
    func run<Value: Sendable>(
        at place: Place, _ change: () async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        await withTaskCancellationHandler {
            await place.value()
        } onCancel: {
            place.set()
        }
        defer { leave(place) }
        if Task.isCancelled { throw .changeCancelled }
        return try await change()
    }

    private func leave(_ place: Place) {
        let next = places.withLock { places in
            let wasFirst = places.first === place
            places.removeAll { $0 === place }
            return wasFirst ? places.first : nil
        }
        next?.set()
    }
}

extension ViperError {
    /// The error of a change whose client has left, or has cancelled the call.
    static var changeCancelled: ViperError {
        ViperError(.callCancelled, operation: "cannot change", subject: "the modules", cause: "the call was cancelled")
    }
}

import Synchronization
import ViperKit

/// The errors for services that modules requested but may not use.
final class Denials: Sendable {
    private let errors = Mutex<[ViperError]>([])

    func add(_ error: ViperError) { errors.withLock { $0.append(error) } }

    var all: [ViperError] { errors.withLock { $0 } }
}

import Synchronization
import ViperKit

/// A log of warnings that writes each text only once, because the same files are checked again and again.
package final class DistinctWarnings: Sendable {
    private let logger: LineLogger
    private let told = Mutex<Set<String>>([])

    package init(_ logger: LineLogger) { self.logger = logger }

    package func add(_ text: String) {
        if told.withLock({ $0.insert(text).inserted }) { logger.log(.warning, text) }
    }
}

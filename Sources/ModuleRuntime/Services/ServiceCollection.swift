import Synchronization
@_spi(Host) import ViperKit

/// Finds what all providers of a service offer, for one generation of a module.
package protocol ServiceCollecting: Sendable {
    /// Returns the offers. Starts to follow the providers, unless it did before.
    func collection() -> ServiceCollection
}

/// The offers of a service's providers to a module that collects the service, and the sequences that the module reads.
package final class ServiceCollection: Sendable {
    struct Offer: Sendable {
        let module: String
        let made: ServiceSlot.Made
    }

    /// A sequence that the module reads.
    private struct Reader: Sendable {
        /// Adds offers to the sequence, and returns the errors for services of another type.
        let show: @Sendable ([Offer]) -> [ViperError]
        let finish: @Sendable () -> Void
    }

    private struct State {
        /// Nil until the services of the first providers have been created.
        var offers: [Offer]?
        /// The number of times that the offers were replaced.
        var version = 0
        var readers: [Int: Reader] = [:]
        var lastReader = 0
        var isOver = false
        /// The errors that have been logged.
        var logged: Set<String> = []
    }

    private let log: @Sendable (ViperError) -> Void
    private let state = Mutex(State())

    /// Creates a collection without readers.
    ///
    /// - Parameter log: A closure that receives the error for each provider that is left out, once.
    init(log: @escaping @Sendable (ViperError) -> Void) { self.log = log }

    /// Returns a sequence of the offers: those of now, and those after each change.
    func services<Service>(_ key: ServiceKey<Service>) -> AsyncStream<[OfferedService<Service>]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [OfferedService<Service>].self, bufferingPolicy: .bufferingNewest(1))
        let reader = Reader { offers in
            var (services, errors) = ([OfferedService<Service>](), [ViperError]())
            for offer in offers {
                do throws(ViperError) {
                    services.append(
                        OfferedService(module: offer.module, service: try ServiceBox.open(offer.made, as: key)))
                } catch { errors.append(error) }
            }
            continuation.yield(services)
            return errors
        } finish: {
            continuation.finish()
        }
        let (number, isOver) = state.withLock { state in
            state.lastReader += 1
            if !state.isOver { state.readers[state.lastReader] = reader }
            return (state.lastReader, state.isOver)
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        if isOver { reader.finish() } else { show(to: [reader]) }
        return stream
    }

    /// Replaces the offers.
    func show(_ offers: [Offer]) {
        let readers = state.withLock { state in
            (state.offers, state.version) = (offers, state.version + 1)
            return Array(state.readers.values)
        }
        show(to: readers)
    }

    /// Shows the current offers to readers. Shows them again if they were replaced in between, so that the newest come
    /// last.
    private func show(to readers: [Reader]) {
        var (shown, version) = (-1, 0)
        while shown != version {
            let offers: [Offer]?
            (offers, version) = state.withLock { ($0.offers, $0.version) }
            if let offers, shown != version { readers.flatMap { $0.show(offers) }.forEach(tell) }
            (shown, version) = (version, state.withLock { $0.version })
        }
    }

    /// Logs the error for a provider that is left out, unless the same error was logged before.
    func tell(_ error: ViperError) {
        if state.withLock({ $0.logged.insert(error.summary).inserted }) { log(error) }
    }

    /// Ends all sequences.
    func finish() {
        // The offers are released after the lock, because that can run code of modules.
        let ended = state.withLock { state in
            defer { (state.readers, state.offers, state.isOver) = ([:], nil, true) }
            return state
        }
        ended.readers.values.forEach { $0.finish() }
    }
}

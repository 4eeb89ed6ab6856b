import HostSystem
import Synchronization
import ViperKit

/// Follows the providers of the services that one generation of a module collects.
///
/// The collector uses the current generation of each provider. It stops using a replaced one after ``grace``, because
/// calls may still be running. It stops at once if its own generation is retired. A collecting module therefore never
/// keeps a replaced generation, and modules that collect and require each other's services do not wait for each other.
final class Collector: ServiceCollecting {
    /// A provider in the registry.
    struct Provider: Sendable {
        let file: String
        let module: String
        let revision: Int
        /// The provider's current generation. Nil if it has none yet.
        let generation: Generation?
    }

    /// The registry and the activator, as a collector needs them.
    struct Source: Sendable {
        /// Returns the usable providers of a service, sorted by name.
        let providers: @Sendable (_ service: String) -> [Provider]
        /// Returns a stream with an element after each change of the registry.
        let changes: @Sendable () -> AsyncStream<Void>
        /// Returns a provider's current generation, creating it if necessary.
        let activate: @Sendable (_ file: String) async throws(ViperError) -> Generation
    }

    /// A version of a provider. Another attempt makes no sense before it changes.
    private struct Version: Equatable {
        var revision: Int
        var generation: Int?

        init(_ provider: Provider) { (revision, generation) = (provider.revision, provider.generation?.number) }
    }

    private struct Entry {
        let number: Int
        let module: String
        var isBusy = false
        /// The last version whose service could not be created.
        var failed: Version?
        /// The provider's generation, which is used, and its service.
        var current: (generation: Generation, made: ServiceSlot.Made)?
    }

    private struct Followed {
        let collection: ServiceCollection
        /// The providers, keyed by manifest file.
        var entries: [String: Entry] = [:]
        var isShown = false

        /// Shows the offers if they have changed. The first time, waits until no service is being created.
        mutating func show(_ isChanged: Bool) {
            guard isShown ? isChanged : entries.values.allSatisfy({ !$0.isBusy }) else { return }
            isShown = true
            let offers = entries.values.compactMap { entry in
                entry.current.map { ServiceCollection.Offer(module: entry.module, made: $0.made) }
            }
            collection.show(offers.sorted { $0.module < $1.module })
        }
    }

    private struct State {
        var followed: [String: Followed] = [:]
        var following: Task<Void, Never>?
        var lastNumber = 0
        /// The replaced generations that are still used.
        var leaving: [Int: Generation] = [:]
        var isRetired = false
        var isOver = false

        mutating func newNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The time for which a generation is used after it was replaced or removed.
    static let grace = Duration.seconds(10)

    private let source: Source
    private let consumer: ServiceConsumer
    private let creations: ServiceCreations
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(
        _ source: Source, for consumer: ServiceConsumer, _ creations: ServiceCreations,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.source, self.consumer, self.creations, self.clock) = (source, consumer, creations, clock)
    }

    func collection(of service: String) -> ServiceCollection {
        let (collection, isNew) = state.withLock { state in
            if let followed = state.followed[service] { return (followed.collection, false) }
            let collection = ServiceCollection { [consumer] in consumer.onOmission?($0) }
            if state.isOver { collection.finish() } else { state.followed[service] = Followed(collection: collection) }
            if state.following == nil, !state.isOver { state.following = follow() }
            return (collection, !state.isOver)
        }
        if isNew { update(service) }
        return collection
    }

    /// Follows the registry. The task is detached, so that the factories of other modules do not count as parts of a
    /// factory that calls this method.
    private func follow() -> Task<Void, Never> {
        let changes = source.changes()
        return Task.detached { [weak self] in
            for await _ in changes {
                guard let self else { return }
                for service in self.state.withLock({ $0.followed.keys.sorted() }) { self.update(service) }
            }
        }
    }

    /// Stops using replaced generations without delay, because this generation is retired. Its scenes still get changes.
    func retire() {
        let leaving = state.withLock { state in
            state.isRetired = true
            defer { state.leaving = [:] }
            return state.leaving
        }
        for generation in leaving.values { generation.uses.end() }
    }

    /// Stops using all providers, because this generation has stopped.
    func end() {
        let (used, followed) = state.withLock { state in
            state.isOver = true
            state.following?.cancel()
            defer { (state.leaving, state.followed) = ([:], [:]) }
            let entries = state.followed.values.flatMap(\.entries.values)
            return (Array(state.leaving.values) + entries.compactMap(\.current?.generation), state.followed)
        }
        for generation in used { generation.uses.end() }
        for followed in followed.values { followed.collection.finish() }
    }

    /// Compares the providers in the registry with those that are used. Begins to create the services that are missing.
    ///
    /// - Parameter isChanged: True if the offers have changed since they were shown.
    private func update(_ service: String, isChanged: Bool = false) {
        let (missing, left) = state.withLock { state -> ([(Provider, Int)], [Generation]) in
            guard var followed = state.followed[service] else { return ([], []) }
            // Read under the lock, so that an earlier state of the registry is never applied after a later one.
            let providers = source.providers(service)
            let gone = Set(followed.entries.keys).subtracting(providers.map(\.file))
            let left = gone.compactMap { followed.entries.removeValue(forKey: $0)?.current?.generation }
            var missing: [(Provider, Int)] = []
            for provider in providers {
                var entry = followed.entries[provider.file] ?? Entry(number: state.newNumber(), module: provider.module)
                let isTried = entry.failed == Version(provider)
                if let current = entry.current?.generation, current === provider.generation { continue }
                if entry.isBusy || isTried { continue }
                entry.isBusy = true
                followed.entries[provider.file] = entry
                missing.append((provider, entry.number))
            }
            followed.show(isChanged || !left.isEmpty)
            state.followed[service] = followed
            return (missing, left)
        }
        leave(left)
        for (provider, number) in missing {
            Task.detached { [weak self] in await self?.take(provider, number, of: service) }
        }
    }

    /// Creates a provider's service, and replaces the one that the provider offered before.
    private func take(_ provider: Provider, _ number: Int, of service: String) async {
        var version = Version(provider)
        var current: (generation: Generation, made: ServiceSlot.Made)?
        var failure: ViperError?
        do throws(ViperError) {
            let generation = try await use(provider)
            version.generation = generation.number
            do throws(ViperError) {
                current = (generation, try await make(service, of: generation))
            } catch {
                generation.uses.end()
                throw error
            }
        } catch { failure = error }
        let (isNeeded, left) = state.withLock { state -> (Bool, Generation?) in
            guard var followed = state.followed[service], var entry = followed.entries[provider.file],
                entry.number == number
            else { return (false, nil) }
            let left = entry.current?.generation
            (entry.isBusy, entry.current, entry.failed) = (false, current, current == nil ? version : nil)
            followed.entries[provider.file] = entry
            state.followed[service] = followed
            return (true, left)
        }
        // The provider was removed before its service was created.
        if !isNeeded { current?.generation.uses.end() }
        if let failure { tell(failure, provider, service) }
        leave([left].compactMap { $0 })
        update(service, isChanged: isNeeded && (left != nil || current != nil))
    }

    /// Begins a use of a provider's current generation.
    private func use(_ provider: Provider) async throws(ViperError) -> Generation {
        while true {
            let generation = try await source.activate(provider.file)
            if generation.uses.begin() { return generation }
        }
    }

    private func make(_ service: String, of generation: Generation) async throws(ViperError) -> ServiceSlot.Made {
        guard let slot = generation.services.slot(service) else {
            throw ViperError(
                .serviceMissing, operation: "cannot create service", subject: service,
                cause: "\(generation.label) does not register it")
        }
        return try await creations.service(of: slot.scope == .singleton ? slot : slot.copy(), for: consumer)
    }

    private func tell(_ error: ViperError, _ provider: Provider, _ service: String) {
        state.withLock { $0.followed[service]?.collection }?.tell(
            ViperError(
                error.code, operation: "cannot collect service", subject: service,
                cause:
                    "the module \"\(consumer.module)\" does not get it from \"\(provider.module)\": \(error.summary)",
                notes: error.notes, fix: error.fix))
    }

    /// Ends the uses of generations after ``grace``, or at once if this generation is retired.
    private func leave(_ generations: [Generation]) {
        for generation in generations {
            let number = state.withLock { state -> Int? in
                if state.isRetired || state.isOver { return nil }
                let number = state.newNumber()
                state.leaving[number] = generation
                return number
            }
            guard let number else {
                generation.uses.end()
                continue
            }
            Task.detached { [weak self, clock] in
                try? await clock.sleep(for: Self.grace)
                self?.state.withLock { $0.leaving.removeValue(forKey: number) }?.uses.end()
            }
        }
    }
}

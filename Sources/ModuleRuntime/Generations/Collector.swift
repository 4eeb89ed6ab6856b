import HostSystem
import ViperKit

/// Follows the providers of a service that one generation of a module collects.
///
/// The collector uses the current generation of each provider. It stops using a replaced one after ``grace``, because
/// calls may still be running. It stops at once if its own generation is retired and the work of that has ended. A
/// collecting module therefore never keeps a replaced generation, and modules that collect and require each other's
/// services do not wait for each other.
actor Collector: ServiceCollecting {
    /// A provider in the registry.
    struct Provider: Sendable, Equatable {
        let file: String
        let module: String
        let revision: Int
        /// The provider's current generation. Nil if it has none yet.
        let generation: Generation?

        static func == (left: Self, right: Self) -> Bool {
            left.revision == right.revision && left.generation === right.generation
        }
    }

    /// The registry and the activator, as a collector needs them.
    struct Source: Sendable {
        /// Returns the usable providers of the service, sorted by name.
        let providers: @Sendable () -> [Provider]
        /// Returns one of these providers. Nil if it is no longer usable.
        let provider: @Sendable (_ file: String) -> Provider?
        /// Returns a stream with an element after each change of the registry.
        let changes: @Sendable () -> AsyncStream<Void>
        /// Returns a provider's current generation, creating it if necessary.
        let activate: @Sendable (_ file: String) async throws(ViperError) -> Generation
    }

    private struct Entry {
        let number: Int
        let module: String
        var isBusy = false
        /// The provider whose service could not be created. It is tried again when it changes, or after a pause.
        var failed: Provider?
        /// The number of consecutive failures.
        var failures = 0
        /// The provider's generation, which is used, and its service.
        var current: (generation: Generation, made: ServiceSlot.Made)?
    }

    /// The time for which a generation is used after it was replaced or removed.
    static let grace = Duration.seconds(10)

    private let service: String
    private let source: Source
    private let consumer: ServiceConsumer
    private let creations: ServiceCreations
    private let clock: any Clock<Duration>
    private let offers: ServiceCollection

    /// The providers, keyed by manifest file.
    private var entries: [String: Entry] = [:]
    /// The number of services that are being created.
    private var busy = 0
    private var isShown = false
    private var following: Task<Void, Never>?
    private var lastNumber = 0
    /// The replaced generations that are still used.
    private var leaving: [Int: Generation] = [:]
    private var isRetired = false
    private var isOver = false

    init(
        of service: String, _ source: Source, for consumer: ServiceConsumer, _ creations: ServiceCreations,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.service, self.source, self.consumer) = (service, source, consumer)
        (self.creations, self.clock) = (creations, clock)
        offers = ServiceCollection { consumer.onOmission?($0) }
    }

    nonisolated func collection() -> ServiceCollection {
        // Detached, so that the factories of other modules do not count as parts of a factory that calls this method.
        Task.detached { await self.start() }
        return offers
    }

    /// Follows the registry from the first call on.
    private func start() {
        if following != nil || isOver { return }
        let changes = source.changes()
        following = Task.detached { [weak self] in
            await self?.update()
            for await _ in changes { await self?.update() }
        }
    }

    /// Stops using replaced generations without delay, because this generation is retired and its work has ended. Its
    /// scenes still get changes.
    func retire() {
        isRetired = true
        for generation in leaving.values { generation.uses.end() }
        leaving = [:]
    }

    /// Stops using all providers, because this generation has stopped.
    func end() {
        isOver = true
        following?.cancel()
        for generation in entries.values.compactMap(\.current?.generation) + leaving.values { generation.uses.end() }
        (entries, leaving) = ([:], [:])
        offers.finish()
    }

    /// Compares the providers in the registry with those that are used. Begins to create the services that are missing.
    private func update() {
        if isOver { return }
        let providers = source.providers()
        var isChanged = false
        for file in Set(entries.keys).subtracting(providers.map(\.file)) {
            guard let entry = entries.removeValue(forKey: file) else { continue }
            if entry.isBusy { busy -= 1 }
            guard let generation = entry.current?.generation else { continue }
            leave(generation)
            isChanged = true
        }
        for provider in providers { begin(provider) }
        show(isChanged)
    }

    /// Begins to create a provider's service, unless it is up to date.
    private func begin(_ provider: Provider) {
        var entry = entries[provider.file] ?? Entry(number: newNumber(), module: provider.module)
        if entry.isBusy || entry.failed == provider { return }
        if let current = entry.current?.generation, current === provider.generation { return }
        entry.isBusy = true
        busy += 1
        entries[provider.file] = entry
        let number = entry.number
        Task.detached { [weak self] in await self?.take(provider, number) }
    }

    /// Creates a provider's service, and replaces the one that the provider offered before.
    private func take(_ provider: Provider, _ number: Int) async {
        var provider = provider
        var current: (generation: Generation, made: ServiceSlot.Made)?
        do throws(ViperError) {
            let generation = try await use(provider)
            provider = Provider(
                file: provider.file, module: provider.module, revision: provider.revision, generation: generation)
            do throws(ViperError) { current = (generation, try await make(generation)) } catch {
                generation.uses.end()
                throw error
            }
        } catch { tell(error, provider) }
        // Another entry of the same file may have followed if the provider was removed and added again.
        guard var entry = entries[provider.file], entry.number == number else {
            current?.generation.uses.end()
            return
        }
        let old = entry.current?.generation
        (entry.isBusy, entry.current, entry.failed) = (false, current, current == nil ? provider : nil)
        entry.failures = current == nil ? entry.failures + 1 : 0
        entries[provider.file] = entry
        busy -= 1
        if let old { leave(old) }
        if current == nil { retry(provider, number, after: Backoff.pause(after: entry.failures)) }
        // The provider may have changed while its service was being created.
        if let provider = source.provider(provider.file) { begin(provider) }
        show(old != nil || current != nil)
    }

    /// Begins a use of a provider's current generation.
    private nonisolated func use(_ provider: Provider) async throws(ViperError) -> Generation {
        while true {
            let generation = try await source.activate(provider.file)
            if generation.uses.begin() { return generation }
        }
    }

    private nonisolated func make(_ generation: Generation) async throws(ViperError) -> ServiceSlot.Made {
        guard let slot = generation.services.slot(service) else {
            throw ViperError(
                .serviceMissing, operation: "cannot create service", subject: service,
                cause: "\(generation.label) does not register it")
        }
        return try await creations.service(of: slot.scope == .singleton ? slot : slot.copy(), for: consumer)
    }

    /// Tries a provider again after a pause, unless it has changed by then.
    private func retry(_ provider: Provider, _ number: Int, after pause: Duration) {
        Task.detached { [weak self, clock] in
            try? await clock.sleep(for: pause)
            await self?.retry(provider, number)
        }
    }

    private func retry(_ provider: Provider, _ number: Int) {
        guard let entry = entries[provider.file], entry.number == number, entry.failed == provider else { return }
        entries[provider.file]?.failed = nil
        if let provider = source.provider(provider.file) { begin(provider) }
    }

    private nonisolated func tell(_ error: ViperError, _ provider: Provider) {
        offers.tell(
            ViperError(
                error.code, operation: "cannot collect service", subject: service,
                cause:
                    "the module \"\(consumer.module)\" does not get it from \"\(provider.module)\": \(error.summary)",
                notes: error.notes, fix: error.fix))
    }

    /// Shows the offers if they have changed. The first time, waits until no service is being created.
    private func show(_ isChanged: Bool) {
        guard isShown ? isChanged : busy == 0 else { return }
        isShown = true
        let current = entries.values.compactMap { entry in
            entry.current.map { ServiceCollection.Offer(module: entry.module, made: $0.made) }
        }
        offers.show(current.sorted { $0.module < $1.module })
    }

    /// Ends the use of a generation after ``grace``, or at once if this generation is retired.
    private func leave(_ generation: Generation) {
        if isRetired { return generation.uses.end() }
        let number = newNumber()
        leaving[number] = generation
        Task.detached { [weak self, clock] in
            try? await clock.sleep(for: Self.grace)
            await self?.release(number)
        }
    }

    private func release(_ number: Int) { leaving.removeValue(forKey: number)?.uses.end() }

    private func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

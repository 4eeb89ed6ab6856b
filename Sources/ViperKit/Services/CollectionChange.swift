import Synchronization

/// A report that a collection has changed. The reader reads the collection again to learn what has changed.
public struct CollectionChange: Sendable, Hashable {
    /// The name of the collection.
    public let collection: String

    /// Creates a report.
    public init(collection: String) { self.collection = collection }
}

extension DataProvider {
    public func changes(in collection: String) -> AsyncStream<CollectionChange> { AsyncStream { $0.finish() } }
}

/// The observers of a data provider's collections, for implementers of ``DataProvider/changes(in:)``.
///
/// ```swift
/// func changes(in collection: String) -> AsyncStream<CollectionChange> { observers.changes(in: collection) }
///
/// func apply(_ changes: [DataChange]) async throws(ViperError) {
///     // …
///     observers.notifyObservers(of: Set(encoded.map(\.collection)))
/// }
/// ```
///
/// The provider owns this object. When it is freed, all streams end.
public final class CollectionObservers: Sendable {
    private struct Observer {
        let collection: String
        let continuation: AsyncStream<CollectionChange>.Continuation
    }

    private struct State {
        var observers: [Int: Observer] = [:]
        var last = 0
        /// Runs while there are observers.
        var check: Task<Void, Never>?

        var collections: Set<String> { Set(observers.values.map(\.collection)) }
    }

    private struct Check {
        let interval: Duration
        let begin: @Sendable (_ collection: String, _ observed: Set<String>) -> Void
        let body: @Sendable (Set<String>) async -> Set<String>
    }

    private let state = Mutex(State())
    private let check: Check?

    /// Creates a list of observers, for a provider that notices only its own changes.
    public init() { check = nil }

    /// Creates a list of observers, for a provider that also looks for changes by other processes.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks.
    ///   - begin: Called when a collection gets its first observer, before the observer exists, with the collections
    ///     that are observed already. Forget an earlier state of the collection here. No other call runs at the same
    ///     time, so no state is forgotten that another observer has read. The closure must not use this object.
    ///   - check: Returns which of the observed collections have changed since its last call. It runs at once and then
    ///     at the interval, only while there are observers.
    public init(
        every interval: Duration,
        onFirstObserver begin: @escaping @Sendable (_ collection: String, _ observed: Set<String>) -> Void,
        check: @escaping @Sendable (_ observed: Set<String>) async -> Set<String>
    ) {
        self.check = Check(interval: interval, begin: begin, body: check)
    }

    deinit {
        state.withLock { $0.check }?.cancel()
        for observer in state.withLock({ $0.observers }).values { observer.continuation.finish() }
    }

    /// The names of the observed collections.
    public var observedCollections: Set<String> { state.withLock { $0.collections } }

    /// Returns the changes of a collection from now on. Changes that the reader has not taken yet are combined into
    /// one.
    ///
    /// Cancelling the reading task, or freeing the stream, ends the observation.
    public func changes(in collection: String) -> AsyncStream<CollectionChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // A collection with an invalid name never changes.
            guard (try? EncodedChange.validateCollectionName(collection)) != nil else { return continuation.finish() }
            let number = add(Observer(collection: collection, continuation: continuation))
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
        }
    }

    /// Tells the observers of these collections that they have changed.
    public func notifyObservers(of collections: Set<String>) {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers where collections.contains(observer.collection) {
            observer.continuation.yield(CollectionChange(collection: observer.collection))
        }
    }

    private func add(_ observer: Observer) -> Int {
        state.withLock { state in
            // Under the lock: between two steps, another observer could begin, and read what is then forgotten.
            if let check {
                let observed = state.collections
                if !observed.contains(observer.collection) { check.begin(observer.collection, observed) }
            }
            state.last += 1
            state.observers[state.last] = observer
            if state.check == nil, let check {
                state.check = Task { [weak self] in
                    while !Task.isCancelled, let observed = self?.observedCollections {
                        let changed = await check.body(observed)
                        self?.notifyObservers(of: changed)
                        // Fails if the task is cancelled, which also ends the loop.
                        try? await Task.sleep(for: check.interval)
                    }
                }
            }
            return state.last
        }
    }

    private func remove(_ number: Int) {
        let (observer, check) = state.withLock { state in
            let observer = state.observers.removeValue(forKey: number)
            guard state.observers.isEmpty else { return (observer, nil as Task<Void, Never>?) }
            defer { state.check = nil }
            return (observer, state.check)
        }
        check?.cancel()
        // Frees the observer outside the lock.
        _ = observer
    }
}

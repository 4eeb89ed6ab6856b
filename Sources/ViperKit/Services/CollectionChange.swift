import Synchronization

/// A notification that a collection has changed. To find out what has changed, read the collection again.
public struct CollectionChange: Sendable, Hashable {
    /// The name of the collection.
    public let collection: String

    /// Creates a notification for a collection.
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
/// The provider owns this object. When the object is deallocated, all streams end.
public final class CollectionObservers: Sendable {
    private struct Observer {
        let collection: String
        let continuation: AsyncStream<CollectionChange>.Continuation
    }

    private struct State {
        var observers: [Int: Observer] = [:]
        var last = 0
        /// The task that checks for changes. It runs while there are observers.
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

    /// Creates an empty list of observers for a provider that reports only its own changes.
    public init() { check = nil }

    /// Creates an empty list of observers for a provider that also checks for changes by other processes.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks.
    ///   - begin: A closure that is called before the first observer of a collection is added. It receives the name of
    ///     this collection and the names of all collections that already have observers. In the closure, discard any
    ///     stored state of the collection. No observer is added while the closure runs, so the closure cannot discard
    ///     state that another observer has read. The closure must not use this object.
    ///   - check: A closure that returns the observed collections that have changed since its last call. While there
    ///     are observers, it is called once immediately and then after each interval.
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

    /// Returns a stream of future changes to a collection. Changes that have not been read from the stream yet are
    /// combined into one.
    ///
    /// Cancelling the task that reads the stream, or releasing the stream, ends the observation.
    public func changes(in collection: String) -> AsyncStream<CollectionChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // A collection with an invalid name never changes.
            guard (try? EncodedChange.validateCollectionName(collection)) != nil else { return continuation.finish() }
            let number = add(Observer(collection: collection, continuation: continuation))
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
        }
    }

    /// Notifies the observers of the given collections that their collection has changed.
    public func notifyObservers(of collections: Set<String>) {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers where collections.contains(observer.collection) {
            observer.continuation.yield(CollectionChange(collection: observer.collection))
        }
    }

    private func add(_ observer: Observer) -> Int {
        state.withLock { state in
            // `begin` is called under the lock. Otherwise, another observer could be added before it discards state,
            // and could read that state.
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
                        // The check may also have seen a change of a collection whose first observer was added
                        // during the check, and will not report this change again.
                        let added = self?.observedCollections.subtracting(observed) ?? []
                        self?.notifyObservers(of: changed.isEmpty ? [] : changed.union(added))
                        // `sleep` throws if the task is cancelled. The condition of the loop then ends the loop.
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
        // Releases the observer outside the lock.
        _ = observer
    }
}

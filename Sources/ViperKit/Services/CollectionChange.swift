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
    }

    private struct Check {
        let interval: Duration
        let body: @Sendable (Set<String>) async -> Set<String>?
    }

    private let state = Mutex(State())
    private let check: Check?

    /// Creates an empty list of observers for a provider that reports only its own changes.
    public init() { check = nil }

    /// Creates an empty list of observers for a provider that also checks for changes by other processes.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks.
    ///   - check: A closure that returns the observed collections that have changed since the last check, or since the
    ///     provider first read them. It returns nil if any collection may have changed. While there are observers, it
    ///     is called once immediately and then after each interval.
    public init(
        every interval: Duration, check: @escaping @Sendable (_ observed: Set<String>) async -> Set<String>?
    ) {
        self.check = Check(interval: interval, body: check)
    }

    deinit {
        state.withLock { $0.check }?.cancel()
        for observer in state.withLock({ $0.observers }).values { observer.continuation.finish() }
    }

    /// The names of the observed collections.
    public var observedCollections: Set<String> { state.withLock { Set($0.observers.values.map(\.collection)) } }

    /// Returns a stream of future changes to a collection. The stream combines unread changes into one. The first
    /// change may have happened before this call.
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

    /// Notifies the observers of each given collection that the collection has changed.
    public func notifyObservers(of collections: Set<String>) { notifyObservers { collections.contains($0) } }

    private func notifyObservers(where isChanged: (_ collection: String) -> Bool) {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers where isChanged(observer.collection) {
            observer.continuation.yield(CollectionChange(collection: observer.collection))
        }
    }

    private func add(_ observer: Observer) -> Int {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            if state.check == nil, let check {
                state.check = Task { [weak self] in
                    while !Task.isCancelled, let observed = self?.observedCollections {
                        let changed = await check.body(observed)
                        self?.notifyObservers { changed?.contains($0) ?? true }
                        // `sleep` throws if the task is cancelled. The loop's condition then ends the loop.
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

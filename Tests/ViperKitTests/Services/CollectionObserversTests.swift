import Glibc
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@Suite(.hangLimit)
struct CollectionObserversTests {
    private final class Token: Sendable {}

    /// Returns the changes that wait in a stream, and ends the observation.
    private static func waiting(in stream: AsyncStream<CollectionChange>) async -> [String] {
        let reader = Task { await stream.reduce(into: []) { $0.append($1.collection) } }
        reader.cancel()
        return await reader.value
    }

    @Test("An observer that reads slowly receives one change of its collection")
    func bounded() async {
        let observers = CollectionObservers()
        let (people, dogs) = (observers.changes(in: "people"), observers.changes(in: "dogs"))
        #expect(observers.observedCollections == ["people", "dogs"])
        for _ in 0..<1000 { observers.notifyObservers(of: ["people", "cats"]) }
        #expect(await Self.waiting(in: people) == ["people"])
        #expect(await Self.waiting(in: dogs) == [])
        #expect(observers.observedCollections.isEmpty)
    }

    @Test("An observer that reads at once receives each change")
    func each() async {
        let observers = CollectionObservers()
        var changes = observers.changes(in: "people").makeAsyncIterator()
        for _ in 0..<10 {
            observers.notifyObservers(of: ["people"])
            #expect(await changes.next() == CollectionChange(collection: "people"))
        }
    }

    @Test("The streams end when the observers are freed, and at once for an invalid name")
    func end() async {
        var observers: CollectionObservers? = CollectionObservers()
        let stream = observers?.changes(in: "people")
        var invalid = observers?.changes(in: "../people").makeAsyncIterator()
        #expect(await invalid?.next() == nil)
        observers = nil
        var iterator = stream?.makeAsyncIterator()
        #expect(await iterator?.next() == nil)
    }

    @Test("Checks run while there are observers, and nothing stays in memory afterwards")
    func checks() async throws {
        var token: Token? = Token()
        weak let left = token
        do {
            let observers = CollectionObservers(every: .milliseconds(1), onFirstObserver: { _, _ in }) {
                [token] observed in
                _ = token
                return observed
            }
            for _ in 0..<2 {
                let reader = Task {
                    for await change in observers.changes(in: "people").prefix(3) {
                        #expect(change.collection == "people")
                    }
                }
                await reader.value
                try #require(await eventually { observers.observedCollections.isEmpty })
                let cancelled = Task { for await _ in observers.changes(in: "dogs") {} }
                try #require(await eventually { observers.observedCollections == ["dogs"] })
                cancelled.cancel()
                await cancelled.value
                #expect(observers.observedCollections.isEmpty)
            }
        }
        token = nil
        #expect(await eventually { left == nil })
    }

    @Test("An observer that is added during a check receives the change that the check finds")
    func added() async {
        let (isChecking, mayEnd) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let observers = CollectionObservers(every: .seconds(86_400), onFirstObserver: { _, _ in }) { observed in
            isChecking.continuation.yield()
            for await _ in mayEnd.stream.prefix(1) {}
            return observed
        }
        let people = observers.changes(in: "people")
        for await _ in isChecking.stream.prefix(1) {}
        var dogs = observers.changes(in: "dogs").makeAsyncIterator()
        mayEnd.continuation.yield()
        #expect(await dogs.next() == CollectionChange(collection: "dogs"))
        withExtendedLifetime(people) {}
    }

    @Test("Of concurrent observers, one is reported as the first, before any of them exists", arguments: 0..<20)
    func first(round: Int) async {
        let begun = Mutex<[(String, Set<String>)]>([])
        let observers = CollectionObservers(
            every: .seconds(86_400),
            onFirstObserver: { collection, observed in
                // Gives the others time to begin, if the lock does not keep them away.
                for _ in 0..<100 { sched_yield() }
                begun.withLock { $0.append((collection, observed)) }
            }, check: { _ in [] })
        let streams = await atOnce(20) { observers.changes(in: "people") }
        #expect(begun.withLock { $0.map(\.0) } == ["people"])
        let other = observers.changes(in: "dogs")
        #expect(begun.withLock { $0.map(\.1) } == [[], ["people"]])
        withExtendedLifetime((streams, other)) {}
    }

    @Test("A collection gets a first observer again after its last one has ended")
    func firstAgain() async {
        let begun = Mutex<[String]>([])
        let observers = CollectionObservers(
            every: .seconds(86_400), onFirstObserver: { collection, _ in begun.withLock { $0.append(collection) } },
            check: { _ in [] })
        for _ in 0..<2 { #expect(await Self.waiting(in: observers.changes(in: "people")) == []) }
        #expect(begun.withLock { $0 } == ["people", "people"])
    }

    @Test("A provider without observation returns a stream that ends at once")
    func byDefault() async {
        struct Provider: DataProvider {
            func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] { [] }
            func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
                nil
            }
            func apply(_ changes: [DataChange]) async throws(ViperError) {}
        }
        for await _ in Provider().changes(in: "people") { Issue.record("no change") }
    }
}

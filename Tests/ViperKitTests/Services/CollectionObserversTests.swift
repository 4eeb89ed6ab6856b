import HostDriver
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
            let observers = CollectionObservers(every: .milliseconds(1)) {
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

    @Test("An observer that is added during a check receives a change of any collection")
    func added() async {
        let (isChecking, mayEnd) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let observers = CollectionObservers(every: .seconds(86_400)) { _ in
            isChecking.continuation.yield()
            for await _ in mayEnd.stream.prefix(1) {}
            return nil
        }
        let people = observers.changes(in: "people")
        for await _ in isChecking.stream.prefix(1) {}
        var dogs = observers.changes(in: "dogs").makeAsyncIterator()
        mayEnd.continuation.yield()
        #expect(await dogs.next() == CollectionChange(collection: "dogs"))
        withExtendedLifetime(people) {}
    }

    @Test("A check reports the changed collections only")
    func some() async {
        let observers = CollectionObservers(every: .milliseconds(1)) { observed in
            #expect(observed.isSubset(of: ["people", "dogs"]))
            return ["people", "cats"]
        }
        let dogs = observers.changes(in: "dogs")
        var people = observers.changes(in: "people").makeAsyncIterator()
        for _ in 0..<10 { #expect(await people.next() == CollectionChange(collection: "people")) }
        #expect(await Self.waiting(in: dogs) == [])
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

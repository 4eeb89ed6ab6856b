import Foundation
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit

@testable import DataProviders

/// The observation of collections, with a second provider that stands for another process.
@Suite(.hangLimit)
struct JSONChangesTests {
    private struct Person: Record {
        var id: String
    }

    private let scratch: ScratchFolder
    private var provider: JSONDataProvider { JSONDataProvider(patientWith: "\(scratch.path)/data") }

    init() throws { scratch = try ScratchFolder() }

    @Test("An own change is reported at once, and the check finds only changes by others")
    func own() async throws {
        let (provider, other) = (provider, provider)
        _ = try await provider.all(Person.self, in: "people")
        try await provider.insert(Person(id: "1"), into: "people")
        #expect(provider.store.changed(of: ["people"]) == [])
        try await other.insert(Person(id: "2"), into: "people")
        #expect(provider.store.changed(of: ["people"]) == ["people"])
        #expect(provider.store.changed(of: ["people"]) == [])
        let changes = provider.changes(in: "people")
        try await provider.insert(Person(id: "3"), into: "people")
        let reader = Task { await changes.reduce(into: 0) { count, _ in count += 1 } }
        // A cancelled reader receives only what is waiting.
        reader.cancel()
        #expect(await reader.value == 1)
        #expect(provider.observers.observedCollections.isEmpty)
    }

    @Test("Changes by another provider and by hand are reported, whether or not the folder exists at first")
    func others() async throws {
        let (provider, other) = (provider, provider)
        var changes = provider.changes(in: "people").makeAsyncIterator()
        #expect(try await provider.all(Person.self, in: "people").isEmpty)
        try await other.insert(Person(id: "1"), into: "people")
        #expect(await changes.next() == CollectionChange(collection: "people"))
        try scratch.write("[]", to: "data/people.json")
        #expect(await changes.next() == CollectionChange(collection: "people"))
        try FileManager.default.removeItem(atPath: "\(scratch.path)/data/people.json")
        #expect(await changes.next() == CollectionChange(collection: "people"))
    }

    @Test("A change between the first read and the first check is reported, and one before the read is not")
    func firstRead() async throws {
        let files = KnownFiles()
        let path = "\(scratch.path)/file"
        files.add("people", FileIdentity(of: path))
        try scratch.write("[]", to: "file")
        files.add("people", FileIdentity(of: path))
        #expect(files.replace("people", by: FileIdentity(of: path)))
        #expect(!files.replace("people", by: FileIdentity(of: path)))
    }
}

import Foundation
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit

@testable import SQLiteProvider

/// The observation of collections, with a second connection that stands for another process.
@Suite(.hangLimit)
struct SQLiteChangesTests {
    private struct Note: Record {
        var id: String
    }

    private let scratch: ScratchFolder
    private var provider: SQLiteDataProvider {
        SQLiteDataProvider(patientWith: "\(scratch.path)/records.sqlite")
    }

    init() throws { scratch = try ScratchFolder() }

    @Test("Own changes and those of another connection are reported, each once")
    func changes() async throws {
        let (provider, other) = (provider, provider)
        var changes = provider.changes(in: "notes").makeAsyncIterator()
        _ = try await provider.all(Note.self, in: "notes")
        try await provider.insert(Note(id: "1"), into: "notes")
        #expect(await changes.next() == CollectionChange(collection: "notes"))
        // SQLite does not report the connection's own change, so only the other one is left to be found.
        try await other.insert(Note(id: "2"), into: "notes")
        #expect(await changes.next() == CollectionChange(collection: "notes"))
        #expect(try await provider.all(Note.self, in: "notes").count == 2)
        #expect(provider.observers.observedCollections == ["notes"])
    }

    @Test("A change after the first read is reported, and an earlier one is not")
    func firstRead() async throws {
        let (provider, other) = (provider, provider)
        let store = SQLiteStore(file: "\(scratch.path)/records.sqlite", timeout: SQLiteDataProvider.patience)
        try await other.insert(Note(id: "1"), into: "notes")
        #expect(try await store.records(in: "notes").count == 1)
        try await provider.insert(Note(id: "2"), into: "dogs")
        #expect(try await store.records(in: "notes").count == 1)
        #expect(await store.otherConnectionHasChanged() == true)
        #expect(await store.otherConnectionHasChanged() == false)
    }

    @Test("The end of an observation ends the checks, and the freed provider closes the database")
    func end() async throws {
        weak var observers: CollectionObservers?
        do {
            let provider = provider
            observers = provider.observers
            let reader = Task { for await _ in provider.changes(in: "notes") {} }
            try #require(await eventually { provider.observers.observedCollections == ["notes"] })
            try await provider.insert(Note(id: "1"), into: "notes")
            reader.cancel()
            await reader.value
            #expect(provider.observers.observedCollections.isEmpty)
        }
        #expect(await eventually { observers == nil })
        // The last connection removes the log when it closes.
        let folder = scratch.path
        #expect(
            try await eventually { try FileManager.default.contentsOfDirectory(atPath: folder) == ["records.sqlite"] })
    }
}

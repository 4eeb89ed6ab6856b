import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

/// The provider suite itself, run against correct and faulty providers.
@Suite(.fewAtOnce, .hangLimit)
struct CheckDataProviderTests {
    @Test("MemoryDataProvider passes the provider suite")
    func memory() async {
        let stores = Stores { MemoryDataProvider() }
        await checkDataProvider { stores.open($0) }
    }

    @Test(
        "The suite reports each defect on the caller's line, with the promise that it breaks",
        arguments: [
            (.losesOrder, "records keep the order in which they were inserted: "),
            (.forgetsAtomicity, "if one change fails, none is applied, whatever its position: "),
            (.insertsTwice, "a record whose id already exists is not inserted: "),
            (.movesReplaced, "a replaced record keeps its place: "),
            (.takesAnyName, "every call with another collection name is an error: "),
            (.throwsSomethingElse, "a record that does not exist is not deleted: "),
            (.readsOnlyOnce, "a second provider on the same store sees acknowledged changes at once: "),
            (.comparesByLook, "ids that only look equal are different: a change to one does not affect the other: "),
            (.dropsInvalid, "a record that cannot be stored is an error, and nothing is stored: "),
            (.ignoresFilter, "a filter compares values of the same kind by value, and text by its bytes: "),
        ] as [(FaultyDataProvider.Defect, String)])
    func defects(defect: FaultyDataProvider.Defect, promise: String) async throws {
        let issues = try await Mistake.provider(defect).issues()
        #expect(issues.contains { $0.text.hasPrefix(promise) }, "\(issues.prefix(10))")
        #expect(issues.allSatisfy { $0.line == "await checkDataProvider { stores.open($0) }" })
    }

    @Test("The suite continues if a provider cannot be opened, and reports the cause")
    func closed() async throws {
        let issues = try await Mistake.closedProvider.issues()
        #expect(issues.count > 20)
        #expect(issues.allSatisfy { $0.text.hasSuffix("cannot open \"store\": the test says so") })
    }

    @Test("A memory provider throws the failure that a test sets, until the failure is removed")
    func failure() async throws {
        let provider = MemoryDataProvider()
        try await provider.insert(Note(id: "1"), into: "notes")
        let failure = ViperError(.storeFailed, operation: "cannot write", subject: "notes", cause: "the disk is full")
        provider.failure = failure
        await #expect(throws: failure) { try await provider.insert(Note(id: "2"), into: "notes") }
        await #expect(throws: failure) { _ = try await provider.all(Note.self, in: "notes") }
        await #expect(throws: failure) { _ = try await provider.find(Note.self, id: "1", in: "notes") }
        provider.failure = nil
        #expect(try await provider.all(Note.self, in: "notes").map(\.id) == ["1"])
    }

    private struct Note: Record {
        var id: String
    }
}

/// Stores by name, as `checkDataProvider` requests them.
final class Stores<Provider: DataProvider>: Sendable {
    private let stores = Mutex<[String: Provider]>([:])
    private let make: @Sendable () -> Provider

    init(make: @escaping @Sendable () -> Provider) { self.make = make }

    func open(_ name: String) -> Provider {
        stores.withLock { stores in
            let store = stores[name] ?? make()
            stores[name] = store
            return store
        }
    }
}

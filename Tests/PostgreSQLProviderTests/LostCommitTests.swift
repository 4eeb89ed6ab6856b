import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import PostgreSQLProvider

/// Commits of which the request or the answer is lost.
@Suite(.needs(.postgreSQL), .needs(.python), .fewAtOnce, .hangLimit)
struct LostCommitTests {
    private struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    private let database: String
    private let server: PostgreSQLServer
    private let relay: Relay

    init() async throws {
        server = try await SharedPostgreSQL.server()
        database = try await server.database()
        relay = try await Relay(to: database)
    }

    /// Returns a provider behind the relay, with a connection that is ready for the next call.
    private func provider() async throws -> PostgreSQLDataProvider {
        let provider = try PostgreSQLDataProvider(patientWith: relay.connection, pool: 1)
        try await provider.apply([.insert(Note(id: "1", text: "old"), into: "notes")])
        return provider
    }

    /// All notes, read without the relay.
    private func notes() async throws -> [Note] {
        try await PostgreSQLDataProvider(patientWith: database).all(Note.self, in: "notes")
    }

    private let changes: [DataChange] = [
        .insert(Note(id: "2"), into: "notes"), .replace(Note(id: "1", text: "new"), in: "notes"),
    ]

    @Test(
        "After a lost connection, changes are made once, whether the server has committed them or not",
        arguments: [Relay.Loss.answer, .request])
    func lost(loss: Relay.Loss) async throws {
        let provider = try await provider()
        try await relay.lose(loss)
        try await provider.apply(changes)
        #expect(try await notes() == [Note(id: "1", text: "new"), Note(id: "2")])
        // A refused key stays until it expires.
        let keys = try await server.sql("SELECT count(*) FROM viper_commit", in: database)
        #expect(keys == (loss == .answer ? "1\n" : "2\n"))
        try await provider.delete(id: "2", from: "notes")
        #expect(try await notes() == [Note(id: "1", text: "new")])
    }

    @Test("A commit that the server executes after the changes were repeated is refused")
    func delayed() async throws {
        let provider = try await provider()
        try await relay.lose(.delay)
        try await provider.apply(changes)
        try await provider.replace(Note(id: "1", text: "newer"), in: "notes")
        try await provider.delete(id: "2", from: "notes")
        try await relay.deliver()
        #expect(try await notes() == [Note(id: "1", text: "newer")])
    }

    @Test("A refused change is an error also if its first answer was lost")
    func refused() async throws {
        let provider = try await provider()
        try await relay.lose(.answer)
        let error = await #expect(throws: ViperError.self) {
            try await provider.apply(changes + [.insert(Note(id: "1"), into: "notes")])
        }
        #expect(error?.code == .recordExists)
        #expect(try await notes() == [Note(id: "1", text: "old")])
    }

    @Test("If the server cannot be asked for the outcome, the error says that it is unknown, and observers read again")
    func unknown() async throws {
        let provider = PostgreSQLDataProvider(
            try ConnectionString(relay.connection), json: FoundationJSONCoder(), logger: RecordingLogger(), pool: 1,
            timeout: .seconds(1))
        try await provider.apply([.insert(Note(id: "1", text: "old"), into: "notes")])
        var observed = provider.observers.changes(in: "notes").makeAsyncIterator()
        try await relay.lose(.refuse)
        let error = await #expect(throws: ViperError.self) { try await provider.apply(changes) }
        #expect(error?.code == .commitUnknown)
        #expect(
            error?.cause
                == "the connection was lost during the commit, and the server cannot be asked for its outcome")
        #expect(error?.notes.map(\.label) == ["lost", "then"])
        #expect(error?.fix == "read the records again to see whether the changes were made")
        #expect(await observed.next() == CollectionChange(collection: "notes"))
        #expect(try await notes() == [Note(id: "1", text: "new"), Note(id: "2")])
    }

    @Test("A read of which the answer is lost is repeated")
    func read() async throws {
        let provider = try await provider()
        for loss in [Relay.Loss.answer, .request] {
            try await relay.lose(loss)
            #expect(try await provider.all(Note.self, in: "notes") == [Note(id: "1", text: "old")])
        }
    }
}

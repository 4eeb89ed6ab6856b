import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import PostgreSQLProvider

/// The observation of collections, with a second provider that stands for another host.
@Suite(.needs(.postgreSQL), .fewAtOnce, .hangLimit)
struct PostgreSQLChangesTests {
    private struct Note: Record {
        var id: String
    }

    private let database: String
    private let server: PostgreSQLServer
    /// The number of connections that listen. Their last statement was LISTEN.
    private static let listening =
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN %' AND state = 'idle'
        """

    init() async throws {
        server = try await SharedPostgreSQL.server()
        database = try await server.database()
    }

    /// Returns a stream of changes of a provider that is listening.
    private func changes(_ provider: PostgreSQLDataProvider) async throws -> AsyncStream<CollectionChange> {
        let changes = provider.changes(in: "notes")
        try #require(try await eventually { try await server.sql(Self.listening, in: database) == "1\n" })
        return changes
    }

    @Test("Own changes and those of another host are reported, each once")
    func changes() async throws {
        let (provider, other) = (
            try PostgreSQLDataProvider(patientWith: database), try PostgreSQLDataProvider(patientWith: database)
        )
        var changes = try await changes(provider).makeAsyncIterator()
        var dogs = provider.changes(in: "dogs").makeAsyncIterator()
        for round in 1...10 {
            try await provider.insert(Note(id: "\(round)"), into: "notes")
            #expect(await changes.next() == CollectionChange(collection: "notes"))
            // The server announces the own change before the one in the other collection.
            let later = provider.changes(in: "notes")
            try await other.insert(Note(id: "\(round)"), into: "dogs")
            #expect(await dogs.next() == CollectionChange(collection: "dogs"))
            let reader = Task { await later.reduce(into: []) { $0.append($1) } }
            // A cancelled reader receives only pending changes.
            reader.cancel()
            #expect(await reader.value == [])
        }
        try await other.insert(Note(id: "other"), into: "notes")
        #expect(await changes.next() == CollectionChange(collection: "notes"))
        #expect(try await provider.all(Note.self, in: "notes").count == 11)
    }

    @Test("A change that another host makes after a read is reported, also if the listener is still connecting")
    func early() async throws {
        let other = try PostgreSQLDataProvider(patientWith: database)
        for round in 1...20 {
            let provider = try PostgreSQLDataProvider(patientWith: database)
            var changes = provider.changes(in: "notes").makeAsyncIterator()
            #expect(try await provider.all(Note.self, in: "notes").count == round - 1)
            try await other.insert(Note(id: "\(round)"), into: "notes")
            #expect(await changes.next() == CollectionChange(collection: "notes"))
        }
    }

    @Test("After the listener has lost its connection, observers read again what they have missed")
    func lost() async throws {
        let logger = RecordingLogger()
        let (provider, other) = (
            try PostgreSQLDataProvider(patientWith: database, logger: logger),
            try PostgreSQLDataProvider(patientWith: database)
        )
        var changes = try await changes(provider).makeAsyncIterator()
        for round in 1...3 {
            // The change happens while the provider does not listen, in the statement that ends the listener.
            try await server.sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'LISTEN %';
                INSERT INTO viper_record (collection, id, json)
                VALUES ('notes', '\(round)', '{"id": "\(round)"}')
                """, in: database)
            #expect(await changes.next() == CollectionChange(collection: "notes"))
            #expect(try await provider.all(Note.self, in: "notes").count == round)
            #expect(try await eventually { try await server.sql(Self.listening, in: database) == "1\n" })
        }
        try await other.insert(Note(id: "4"), into: "notes")
        #expect(await changes.next() == CollectionChange(collection: "notes"))
        let messages = logger.messages
        #expect(messages.filter { $0.level == .warning }.count == 3, "\(messages)")
        #expect(messages.filter { $0.message.hasPrefix("listening for changes in ") }.count == 3, "\(messages)")
    }

    @Test("The end of an observation ends the listening, and the freed provider closes its connections")
    func end() async throws {
        weak var observers: CollectionObservers?
        do {
            let provider = try PostgreSQLDataProvider(patientWith: database)
            observers = provider.observers
            for _ in 0..<2 {
                let reader = Task { for await _ in provider.changes(in: "notes") {} }
                #expect(try await eventually { try await server.sql(Self.listening, in: database) == "1\n" })
                reader.cancel()
                await reader.value
                #expect(try await eventually { try await server.sql(Self.listening, in: database) == "0\n" })
            }
            try await provider.insert(Note(id: "1"), into: "notes")
        }
        #expect(await eventually { observers == nil })
        let others = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        #expect(try await eventually { try await server.sql(others, in: database) == "0\n" })
    }

    @Test("Providers of two schemas in one database do not report each other's changes")
    func schemas() async throws {
        for name in ["one", "two"] { try await server.sql("CREATE SCHEMA \(name)", in: database) }
        let one = try PostgreSQLDataProvider(patientWith: "\(database) options='-c search_path=one'")
        let notes = try await changes(one)
        var dogs = one.changes(in: "dogs").makeAsyncIterator()
        let others = [
            try PostgreSQLDataProvider(patientWith: "\(database) options='-c search_path=two'"),
            try PostgreSQLDataProvider(patientWith: "\(database) options='-c search_path=one'"),
        ]
        try await others[0].insert(Note(id: "1"), into: "notes")
        try await others[1].insert(Note(id: "1"), into: "dogs")
        // The server announces changes in order.
        #expect(await dogs.next() == CollectionChange(collection: "dogs"))
        let reader = Task { await notes.reduce(into: []) { $0.append($1) } }
        // A cancelled reader receives only pending changes.
        reader.cancel()
        #expect(await reader.value == [])
    }
}

import Foundation
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import PostgreSQLProvider

/// The provider with a database that is locked, full, silent, or in conflict with other transactions.
@Suite(.needs(.postgreSQL), .fewAtOnce, .hangLimit)
struct PostgreSQLTroubleTests {
    private struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    /// Returns a provider that gives up after a second.
    private func impatient(_ database: String) throws -> PostgreSQLDataProvider {
        PostgreSQLDataProvider(
            try ConnectionString(database), json: FoundationJSONCoder(), logger: RecordingLogger(),
            timeout: .seconds(1))
    }

    /// Another process's transaction, which has locked the records until this object is freed.
    private final class Lock: @unchecked Sendable {
        // Only one thread at a time uses the connection: the one of `init`, and then the one of `deinit`.
        private let connection: PostgreSQLConnection

        init(_ database: String) throws {
            connection = try PostgreSQLConnection(
                ConnectionString(database), until: .now + Patience.limit, silence: Patience.limit)
            try connection.run([Statement("BEGIN"), Statement("LOCK TABLE viper_record IN SHARE MODE")])
        }
    }

    private func lock(_ database: String) async throws -> Lock { try await onOwnThread { try Lock(database) } }

    @Test("If a change waits for another transaction too long, it fails completely, and reading continues")
    func locked() async throws {
        let database = try await SharedPostgreSQL.database()
        let provider = try impatient(database)
        try await provider.insert(Note(id: "1"), into: "a")
        var lock: Lock? = try await self.lock(database)
        let error = await #expect(throws: ViperError.self) {
            try await provider.apply([.insert(Note(id: "2"), into: "a"), .insert(Note(id: "2"), into: "b")])
        }
        #expect(lock != nil)
        #expect(error?.code == .storeFailed)
        #expect(error?.summary.hasPrefix("cannot write database \"d") == true)
        #expect(error?.cause == "canceling statement due to statement timeout")
        #expect(error?.fix == "retry, or raise postgresql.timeout")
        #expect(try await provider.all(Note.self, in: "a") == [Note(id: "1")])
        lock = nil
        let patient = try PostgreSQLDataProvider(patientWith: database)
        try await patient.apply([.insert(Note(id: "2"), into: "a"), .insert(Note(id: "2"), into: "b")])
        #expect(try await provider.all(Note.self, in: "a") == [Note(id: "1"), Note(id: "2")])
    }

    @Test("Changes that wait for another transaction block no thread of the pool")
    func pool() async throws {
        let database = try await SharedPostgreSQL.database()
        // At least as many as the pool has threads on any test machine.
        let providers = try (1...8).map { _ in try PostgreSQLDataProvider(patientWith: database) }
        for provider in providers { try await provider.open(within: Patience.limit) }
        var lock: Lock? = try await self.lock(database)
        async let changes: Void = withThrowingTaskGroup { group in
            for number in 1...32 {
                group.addTask { try await providers[number % 8].insert(Note(id: "\(number)"), into: "a") }
            }
            try await group.waitForAll()
        }
        for _ in 0..<100 { await Task.detached {}.value }
        #expect(lock != nil)
        lock = nil
        try await changes
        #expect(try await providers[0].all(Note.self, in: "a").count == 32)
    }

    @Test("A transaction that the server rolls back because of another one is repeated", arguments: ["40001", "40P01"])
    func conflict(state: String) async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        let provider = try PostgreSQLDataProvider(patientWith: database)
        try await provider.insert(Note(id: "1"), into: "a")
        // The sequence counts also in transactions that are rolled back.
        try await server.sql(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              IF nextval('attempts') <= 3 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '\(state)'; END IF;
              RETURN NEW;
            END $$;
            CREATE CONSTRAINT TRIGGER failing AFTER INSERT ON viper_record DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION fail()
            """, in: database)
        try await provider.apply([.insert(Note(id: "2"), into: "a"), .delete(id: "1", from: "a")])
        #expect(try await provider.all(Note.self, in: "a") == [Note(id: "2")])
        #expect(try await server.sql("SELECT last_value FROM attempts", in: database) == "4\n")
    }

    @Test("If the server stops answering, calls fail after the time limit, and succeed when it answers again")
    func silent() async throws {
        let server = try await PostgreSQLServer()
        let database = try await server.database()
        let provider = try impatient(database)
        try await provider.insert(Note(id: "1"), into: "a")
        try server.signalAll(SIGSTOP)
        let read = await #expect(throws: ViperError.self) { _ = try await provider.all(Note.self, in: "a") }
        #expect(read?.code == .storeFailed)
        #expect(read?.cause == "the server does not answer")
        #expect(read?.fix == "check whether the database's server is running, and retry")
        let write = await #expect(throws: ViperError.self) { try await provider.insert(Note(id: "2"), into: "a") }
        #expect(write?.code == .storeFailed)
        try server.signalAll(SIGCONT)
        let patient = try PostgreSQLDataProvider(patientWith: database)
        try await patient.insert(Note(id: "3"), into: "a")
        #expect(try await patient.all(Note.self, in: "a") == [Note(id: "1"), Note(id: "3")])
    }

    @Test("If the server's disk is full, no collection changes, and the provider keeps working", .needs(.strangers))
    func full() async throws {
        // The disk is in a mount namespace of the server's.
        let server = try await PostgreSQLServer(
            shell: """
                mkdir -p "$1/small"
                mount -t tmpfs -o size=4m,mode=700,uid=$(id -u postgres),gid=$(id -g postgres) tmpfs "$1/small"
                """)
        let database = try await server.database()
        try await server.sql("CREATE TABLESPACE small LOCATION '\(server.folder)/small'", in: database)
        let provider = try PostgreSQLDataProvider(patientWith: "\(database) options='-c default_tablespace=small'")
        try await provider.apply([.insert(Note(id: "1"), into: "a"), .insert(Note(id: "1"), into: "b")])
        // Text that cannot be compressed.
        let large = Note(
            id: "large", text: String(decoding: (0..<300_000).map { _ in UInt8.random(in: 0x40...0x7E) }, as: UTF8.self)
        )
        let error = await #expect(throws: ViperError.self) {
            for number in 0..<30 {
                var large = large
                large.id += "\(number)"
                try await provider.apply([.insert(Note(id: "n\(number)"), into: "a"), .insert(large, into: "b")])
            }
        }
        #expect(error?.code == .storeFailed)
        #expect(error?.notes == [ViperError.Note("SQLSTATE", "53100")], "\(String(describing: error))")
        #expect(error?.fix == "free space on the disk of the database's server")
        let (first, second) = (
            try await provider.all(Note.self, in: "a"), try await provider.all(Note.self, in: "b")
        )
        #expect(first.count == second.count && first.count > 1)
        try await server.run(shell: #"mount -o remount,size=64m "$1/small""#)
        try await provider.insert(Note(id: "new"), into: "b")
        #expect(try await provider.all(Note.self, in: "b").map(\.id) == second.map(\.id) + ["new"])
    }
}

import Foundation
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import PostgreSQLProvider

@Suite(.needs(.postgreSQL), .fewAtOnce, .hangLimit)
struct PostgreSQLProviderTests {
    private struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    @Test("The provider fulfils the contract of data providers", .long)
    func promises() async throws {
        // Each store is a schema. Their notifications do not mix.
        let database = try await SharedPostgreSQL.database()
        var known: Set<String> = []
        let server = try await SharedPostgreSQL.server()
        await checkDataProvider { store in
            if known.insert(store).inserted { try await server.sql("CREATE SCHEMA \"\(store)\"", in: database) }
            return try PostgreSQLDataProvider(patientWith: "\(database) options='-c search_path=\(store)'")
        }
    }

    @Test("Hostile texts and large values are stored, found and deleted as they are")
    func hostile() async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        let provider = try PostgreSQLDataProvider(patientWith: database)
        let texts = [
            "'; DROP TABLE viper_record; --", "$1", "$tag$", "\\'; SELECT pg_sleep(1000); --", "a\u{0}b", "\u{0}",
            "\\u0000", "\\\\u0000", "%s%n", "NULL", String(repeating: "x\u{0}'", count: 130_000),
        ]
        for text in texts { try await provider.insert(Note(id: text, text: text), into: "notes") }
        #expect(try await provider.all(Note.self, in: "notes") == texts.map { Note(id: $0, text: $0) })
        for text in texts {
            #expect(try await provider.find(Note.self, id: text, in: "notes")?.text == text)
            var query = RecordQuery()
            query.filter = .equal(key: "text", .string(text))
            query.after = texts[0]
            let found = try await provider.records(Note.self, in: "notes", matching: query).map(\.id)
            #expect(found == (text == texts[0] ? [] : [text]))
            query.filter = .missing(key: text)
            query.order = [RecordOrder(key: text)]
            #expect(try await provider.records(Note.self, in: "notes", matching: query).count == texts.count - 1)
        }
        for text in texts { try await provider.delete(id: text, from: "notes") }
        #expect(try await server.sql("SELECT count(*) FROM viper_record", in: database) == "0\n")
    }

    @Test("A commit leaves one key for each connection, and keys of ended hosts expire")
    func keys() async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        let provider = try PostgreSQLDataProvider(patientWith: database, pool: 1)
        for number in 1...10 { try await provider.insert(Note(id: "\(number)"), into: "notes") }
        #expect(try await server.sql("SELECT count(*) FROM viper_commit", in: database) == "1\n")
        try await server.sql("UPDATE viper_commit SET time = now() - interval '2 days'", in: database)
        try await PostgreSQLDataProvider(patientWith: database).open(within: Patience.limit)
        #expect(try await server.sql("SELECT count(*) FROM viper_commit", in: database) == "0\n")
    }

    @Test("Many hosts that open an empty database at the same time create its tables once")
    func opened() async throws {
        let database = try await SharedPostgreSQL.database()
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                let provider = try PostgreSQLDataProvider(patientWith: database)
                group.addTask { try await provider.open(within: Patience.limit) }
            }
            try await group.waitForAll()
        }
    }

    @Test("A user without the right to create tables can use existing ones, and gets an error without them")
    func rights() async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        let role = "r\(UInt64.random(in: 0...(.max)))"
        try await server.sql("CREATE ROLE \(role) LOGIN", in: database)
        let other = database.replacing("user=viper", with: "user=\(role)")
        let refused = try PostgreSQLDataProvider(patientWith: other)
        let error = await #expect(throws: ViperError.self) { _ = try await refused.all(Note.self, in: "notes") }
        #expect(error?.cause == "permission denied for schema public")
        #expect(error?.notes == [ViperError.Note("SQLSTATE", "42501")])
        #expect(error?.fix == "give the user of postgresql.connection the right to use and create tables")
        try await PostgreSQLDataProvider(patientWith: database).open(within: Patience.limit)
        try await server.sql(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON viper_record, viper_commit TO \(role)", in: database)
        try await refused.insert(Note(id: "1"), into: "notes")
        #expect(try await refused.all(Note.self, in: "notes").count == 1)
    }

    @Test("A database with another encoding is refused")
    func encoding() async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        try await server.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0", in: database)
        let name = try #require(database.split(separator: "dbname=").last)
        let latin = database.replacing("dbname=\(name)", with: "dbname=latin")
        let provider = try PostgreSQLDataProvider(patientWith: latin)
        let error = await #expect(throws: ViperError.self) { try await provider.open(within: Patience.limit) }
        #expect(
            error?.cause.hasSuffix("the encoding LATIN1, expected at least version 14 and the encoding UTF8") == true)
    }

    @Test("200,000 records are paged and filtered in the database", .long)
    func many() async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        let provider = try PostgreSQLDataProvider(patientWith: database)
        try await provider.open(within: Patience.limit)
        try await server.sql(
            """
            INSERT INTO viper_record (collection, id, json) SELECT 'things', convert_to(n::text, 'UTF8'),
            json_build_object('id', n::text, 'text', 'thing ' || n % 1000, 'number', n)
            FROM generate_series(1, 200000) AS n; ANALYZE viper_record
            """, in: database)
        // A record that is not a note. Whoever reads it fails.
        try await server.sql(
            "UPDATE viper_record SET json = '{\"id\": \"100000\"}' WHERE id = convert_to('100000', 'UTF8')",
            in: database)
        var (query, read) = (RecordQuery(), [String]())
        query.limit = 1000
        for _ in 1...20 {
            let page = try await provider.records(Note.self, in: "things", matching: query)
            read += page.map(\.id)
            query.after = page.last?.id
        }
        #expect(read == (1...20_000).map { "\($0)" })
        query.after = "150000"
        query.filter = .all([.equal(key: "text", .string("thing 7")), .greater(key: "number", .integer(190_000))])
        query.order = [RecordOrder(key: "number", isDescending: true)]
        #expect(try await provider.records(Note.self, in: "things", matching: query) == [])
        query.after = nil
        #expect(
            try await provider.records(Note.self, in: "things", matching: query).map(\.id)
                == stride(from: 199_007, through: 190_007, by: -1000).map { "\($0)" })
        await #expect(throws: ViperError.self) { _ = try await provider.all(Note.self, in: "things") }
    }

    @MainActor
    private func host(_ values: [String: ParameterValue], unset: Set<String> = []) throws -> TestHost {
        try TestHost(PostgreSQLProviderModule.self, manifest: "postgresql.json") { services in
            services.provide(.json, FoundationJSONCoder())
            services.provide(.logger, RecordingLogger())
            services.provide(
                .configuration,
                Configuration(
                    values.merging(["pool": .integer(1), "timeout": .integer(60)]) { $1 }, unset: unset,
                    module: "postgresql"))
        }
    }

    @Test("The module provides the service that its manifest declares, with an open database")
    @MainActor
    func module() async throws {
        let database = try await SharedPostgreSQL.database()
        let host = try host(["connection": .string(database)])
        #expect(try await host.provided(.dataProvider) is PostgreSQLDataProvider)
        let tables = try await SharedPostgreSQL.server().sql("SELECT to_regclass('viper_record')", in: database)
        #expect(tables == "viper_record\n")
    }

    @Test("A password is shown neither in an error of the setting nor in one of the server")
    @MainActor
    func password() async throws {
        let (database, server) = (try await SharedPostgreSQL.database(), try await SharedPostgreSQL.server())
        for text in [
            "host=/tmp password=hush hush dbname=x", "host=/tmp port=hush=hush password='hush",
            "postgresql://viper:hush@[::1/x", "hush",
        ] {
            let host = try host(["connection": .string(text)])
            let error = try await #require(throws: ViperError.self) { _ = try await host.provided(.dataProvider) }
            #expect(!error.description.contains("hush"), "\(error)")
            #expect(error.cause.contains("cannot use setting \"postgresql.connection\": libpq cannot parse it"))
        }
        try await server.sql("DROP ROLE IF EXISTS secretive", in: database)
        try await server.sql("CREATE ROLE secretive LOGIN PASSWORD 'right'", in: database)
        let name = database.replacing("user=viper", with: "user=secretive")
        let wrong = try host(["connection": .string("\(name) password=hush")])
        let error = try await #require(throws: ViperError.self) { _ = try await wrong.provided(.dataProvider) }
        #expect(error.cause.contains("password authentication failed for user \"secretive\""), "\(error)")
        #expect(!error.description.contains("hush"), "\(error)")
        // A server could repeat the password in a message.
        let string = try ConnectionString("\(name) password=hush")
        #expect(string.redacted("no hush for hush") == "no *** for ***")
        #expect(!string.label.contains("hush"))
    }
}

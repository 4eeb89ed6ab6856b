import Foundation
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import SQLiteProvider

@Suite(.hangLimit)
struct SQLiteProviderTests {
    private struct Note: Record, Equatable {
        var id: String
        var text: String
    }

    private let scratch: ScratchFolder
    private var file: String { "\(scratch.path)/records.sqlite" }
    private var provider: SQLiteDataProvider { SQLiteDataProvider(patientWith: file) }

    init() throws { scratch = try ScratchFolder() }

    private func failure(_ body: () async throws -> Void) async throws -> ViperError {
        do {
            try await body()
        } catch let error as ViperError {
            return error
        }
        throw Unexpected.success
    }

    private enum Unexpected: Error {
        case success
    }

    @Test("The provider fulfils the contract of data providers")
    func promises() async throws {
        await checkDataProvider { store in
            SQLiteDataProvider(patientWith: "\(scratch.path)/\(store).sqlite")
        }
    }

    @Test("All database files are accessible only to their owner")
    func mode() async throws {
        let provider = provider
        try await provider.insert(Note(id: "1", text: "a"), into: "notes")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
        #expect(names == ["records.sqlite", "records.sqlite-shm", "records.sqlite-wal"])
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(scratch.path)/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    @Test("A file that is not a database is reported with SQLite's error and left unchanged")
    func noDatabase() async throws {
        let text = String(repeating: "no database ", count: 100)
        try scratch.write(text, to: "records.sqlite")
        let expected = ViperError(
            .storeFailed, operation: "cannot open database", subject: file, cause: "file is not a database",
            notes: [.init("SQLite's code", "26")],
            fix:
                "recover the data with sqlite3's .recover, or move the file away to start with an empty database")
        #expect(try await failure { _ = try await provider.all(Note.self, in: "notes") } == expected)
        #expect(
            try await failure { try await provider.insert(Note(id: "1", text: "a"), into: "notes") } == expected)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test("A missing folder is an error, and the same provider works once the folder exists")
    func noFolder() async throws {
        let folder = "\(scratch.path)/gone"
        let provider = SQLiteDataProvider(patientWith: "\(folder)/records.sqlite")
        let error = try await failure { _ = try await provider.all(Note.self, in: "notes") }
        #expect(error.code == .storeFailed)
        #expect(error.cause == "unable to open database file")
        #expect(error.notes.last == .init("the system says", "No such file or directory"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try await provider.all(Note.self, in: "notes") == [])
    }

    @Test("A record of another type is an error that names the fault and its position")
    func wrongType() async throws {
        struct Count: Record {
            var id: String
            var text: Int
        }
        try await provider.insert(Count(id: "1", text: 7), into: "notes")
        for error in [
            try await failure { _ = try await provider.all(Note.self, in: "notes") },
            try await failure { _ = try await provider.find(Note.self, id: "1", in: "notes") },
        ] {
            #expect(error.summary == "cannot read record in \"notes\": expected a string, found a number")
            #expect(error.notes.first == .init("at", "$.text"))
            #expect(error.notes.last?.label == "record")
        }
    }

    @MainActor
    private func host() throws -> TestHost {
        try TestHost(SQLiteProviderModule.self, manifest: "sqlite.json") { services in
            services.provide(.json, FoundationJSONCoder())
            services.provide(.stateFolder, StateFolder(path: scratch.path))
        }
    }

    @Test("The module provides the service that its manifest declares, with an open database")
    @MainActor
    func module() async throws {
        #expect(try await host().provided(.dataProvider) is SQLiteDataProvider)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("A database that cannot be opened fails the service, and the next request opens it")
    @MainActor
    func brokenDatabase() async throws {
        let host = try host()
        try scratch.write(String(repeating: "no database ", count: 100), to: "records.sqlite")
        let error = try await #require(throws: ViperError.self) { _ = try await host.provided(.dataProvider) }
        #expect(error.code == .serviceFailed)
        #expect(
            error.cause == "its provider \"sqlite\" failed: cannot open database \"\(file)\": file is not a database")
        try FileManager.default.removeItem(atPath: file)
        #expect(try await host.provided(.dataProvider).all(Note.self, in: "notes") == [])
    }

    @Test("Opening a database that another process has locked does not block the main actor")
    @MainActor
    func lockedDatabase() async throws {
        let host = try host()
        // SQLite waits for the lock to create the table. It does not wait to change the mode of an empty file.
        try SQLiteConnection(file: file).run("PRAGMA journal_mode = WAL")
        let lock = try await LockedDatabase(file: file)
        let opening = Task { try await host.provided(.dataProvider) }
        // The main actor looks for the connection and releases the lock while the factory waits for it.
        #expect(
            await eventually {
                let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                return descriptors.contains { resolved("/proc/self/fd/\($0)") == resolved(file) }
            })
        lock.release()
        #expect(try await opening.value.all(Note.self, in: "notes") == [])
    }
}

import Foundation
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit

@testable import SQLiteProvider

/// The provider with a database that is locked, cannot grow, or is damaged.
@Suite(.fewAtOnce, .hangLimit)
struct SQLiteTroubleTests {
    struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    private let scratch: ScratchFolder
    private var file: String { "\(scratch.path)/records.sqlite" }

    init() throws { scratch = try ScratchFolder() }

    private func provider(timeout: Int32 = SQLiteDataProvider.patience) -> SQLiteDataProvider {
        SQLiteDataProvider(file: file, json: FoundationJSONCoder(), timeout: timeout)
    }

    private func ids(_ provider: SQLiteDataProvider) async throws -> [String] {
        try await provider.all(Note.self, in: "a").map(\.id) + provider.all(Note.self, in: "b").map(\.id)
    }

    @Test("If another process holds the write lock too long, a change fails completely, and reading continues")
    func busy() async throws {
        let provider = provider(timeout: 50)
        try await provider.apply([.insert(Note(id: "1"), into: "a"), .insert(Note(id: "1"), into: "b")])
        let lock = try await LockedDatabase(file: file)
        let error = await #expect(throws: ViperError.self) {
            try await provider.apply([.insert(Note(id: "2"), into: "a"), .insert(Note(id: "2"), into: "b")])
        }
        #expect(
            error
                == ViperError(
                    .storeFailed, operation: "cannot write database", subject: file, cause: "database is locked",
                    notes: [.init("SQLite's code", "5")],
                    fix: "retry when the other process has finished writing"))
        #expect(try await ids(provider) == ["1", "1"])
        lock.release()
        try await provider.apply([.insert(Note(id: "2"), into: "a"), .insert(Note(id: "2"), into: "b")])
        #expect(try await ids(provider) == ["1", "2", "1", "2"])
    }

    @Test("Changes that wait for another process block no thread of the pool")
    func pool() async throws {
        try await provider().insert(Note(id: "0"), into: "a")
        let lock = try await LockedDatabase(file: file)
        // At least as many as the pool has threads on any test machine.
        let providers = (1...32).map { _ in provider() }
        async let changes: Void = withThrowingTaskGroup { group in
            for (number, provider) in providers.enumerated() {
                group.addTask { try await provider.insert(Note(id: "\(number + 1)"), into: "a") }
            }
            try await group.waitForAll()
        }
        for _ in 0..<100 { await Task.detached {}.value }
        lock.release()
        try await changes
        #expect(try await provider().all(Note.self, in: "a").count == 33)
    }

    @Test("A change waits until another process releases the database")
    func waited() async throws {
        try await provider().insert(Note(id: "1"), into: "a")
        let lock = try await LockedDatabase(file: file)
        let provider = provider()
        async let change: Void = provider.insert(Note(id: "2"), into: "a")
        // A reader does not see the waiting change.
        #expect(try await ids(self.provider()) == ["1"])
        lock.release()
        try await change
        #expect(try await ids(provider) == ["1", "2"])
    }

    @Test("If the file cannot grow, no collection changes, and the provider keeps working")
    func full() async throws {
        try await provider().apply([.insert(Note(id: "1"), into: "a"), .insert(Note(id: "1"), into: "b")])
        await #expect(processExitsWith: .success) { [file = file as String] in
            let provider = SQLiteDataProvider(patientWith: file)
            // Ignored, because the signal would end the process before `write` returns EFBIG.
            signal(SIGXFSZ, SIG_IGN)
            func limit(_ bytes: rlim_t) {
                var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            }
            limit(100_000)
            let large = Note(id: "large", text: String(repeating: "x", count: 200_000))
            do {
                try await provider.apply([.insert(Note(id: "2"), into: "a"), .insert(large, into: "b")])
                exit(2)
            } catch {
                let expected = ViperError(
                    .storeFailed, operation: "cannot write database", subject: file, cause: "disk I/O error",
                    notes: [.init("SQLite's code", "778")],
                    fix: "check whether the disk is full or failing")
                guard error as? ViperError == expected else { exit(3) }
            }
            // The same provider accepts a small record, and a large one once the limit is lifted.
            try await provider.insert(Note(id: "2"), into: "a")
            limit(.max)
            try await provider.insert(large, into: "b")
            exit(EXIT_SUCCESS)
        }
        #expect(try await ids(provider()) == ["1", "2", "1", "large"])
    }

    /// Returns a database with several pages of records that no process has open.
    private func closedDatabase() async throws -> Data {
        let notes = (0..<200).map { Note(id: "\($0)", text: String(repeating: "text ", count: 20)) }
        try await provider().apply(notes.map { .insert($0, into: "a") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["records.sqlite"])
        let data = try Data(contentsOf: URL(filePath: file))
        try #require(data.count > 20_000)
        return data
    }

    @Test(
        "A damaged database is reported in every call with how to recover it, and left unchanged",
        arguments: ["truncated", "cut within a page", "garbage in front", "garbage behind the first page"])
    func damaged(how: String) async throws {
        var data = try await closedDatabase()
        switch how {
        case "truncated": data = data.prefix(8192)
        case "cut within a page": data = data.prefix(5000)
        case "garbage in front": data.replaceSubrange(0..<100, with: Data(repeating: 0x5A, count: 100))
        default: data.replaceSubrange(4096..., with: Data(repeating: 0x5A, count: data.count - 4096))
        }
        try scratch.write(data, to: "records.sqlite")
        let provider = provider()
        for call in [
            { _ = try await provider.all(Note.self, in: "a") },
            { _ = try await provider.find(Note.self, id: "7", in: "a") },
            { try await provider.insert(Note(id: "new"), into: "a") },
            { try await provider.replace(Note(id: "7"), in: "a") },
            { try await provider.delete(id: "7", from: "a") },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: ViperError.self) { try await call() }
            #expect(error?.code == .storeFailed)
            #expect(error?.subject == file)
            #expect(
                error?.fix
                    == "recover the data with sqlite3's .recover, or move the file away to start with an empty database"
            )
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == data)
    }
}

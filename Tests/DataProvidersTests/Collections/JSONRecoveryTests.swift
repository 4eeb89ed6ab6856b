import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import DataProviders

/// Recovery after a change was interrupted at each point where a process can be killed, or by a full disk.
@Suite(.fewAtOnce, .hangLimit)
struct JSONRecoveryTests {
    struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    private let scratch: ScratchFolder
    private var folder: String { "\(scratch.path)/data" }
    private var provider: JSONDataProvider { JSONDataProvider(patientWith: folder) }
    private let old = "[\n{\"id\":\"old\",\"text\":\"\"}\n]\n"
    private let new = "[\n{\"id\":\"new\",\"text\":\"\"}\n]\n"

    init() throws {
        scratch = try ScratchFolder()
        for name in ["a.json", "b.json"] { try scratch.write(old, to: "data/\(name)") }
        try scratch.write("", to: "data/.lock")
    }

    private func ids() async throws -> [String] {
        try await provider.all(Note.self, in: "a").map(\.id) + provider.all(Note.self, in: "b").map(\.id)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test("A change that was interrupted before its journal was written is discarded")
    func beforeJournal() async throws {
        try scratch.write(new, to: "data/a.json.new")
        try scratch.write("[\n{\"id\":\"ne", to: "data/b.json.new")
        try scratch.write("a.js", to: "data/.journal.new")
        #expect(try await ids() == ["old", "old"])
        try await provider.apply([.insert(Note(id: "2"), into: "a"), .insert(Note(id: "2"), into: "b")])
        #expect(try await ids() == ["old", "2", "old", "2"])
        #expect(try names() == [".lock", "a.json", "b.json"])
    }

    @Test(
        "A change whose journal was written is finished by the next call",
        arguments: [[], ["a.json"], ["a.json", "b.json"]], [true, false])
    func afterJournal(renamed: [String], reading: Bool) async throws {
        for name in ["a.json", "b.json"] {
            try scratch.write(new, to: "data/\(name)" + (renamed.contains(name) ? "" : ".new"))
        }
        try scratch.write("a.json\nb.json", to: "data/.journal")
        if !reading { try await provider.insert(Note(id: "1"), into: "c") }
        #expect(try await ids() == ["new", "new"])
        #expect(try names().filter { $0 != "c.json" } == [".lock", "a.json", "b.json"])
    }

    @Test("A full disk is an error, and changes neither of two collections")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let provider = JSONDataProvider(patientWith: folder)
            // Ignored, because the signal would end the process before `write` returns EFBIG.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: rlim_t.max)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let large = Note(id: "large", text: String(repeating: "x", count: 10_000))
            do {
                try await provider.apply([.insert(Note(id: "2"), into: "a"), .insert(large, into: "b")])
            } catch {
                let expected = ViperError(
                    .storeFailed, operation: "cannot write file", subject: "\(folder)/b.json.new",
                    cause: "File too large")
                exit(error as? ViperError == expected ? EXIT_SUCCESS : 2)
            }
            exit(3)
        }
        #expect(try await ids() == ["old", "old"])
        #expect(try names() == [".lock", "a.json", "b.json"])
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog

/// Results of loading a library. The libraries are real ones, linked from C.
@Suite(.fewAtOnce)
struct LoaderTests {
    private let scratch: ScratchFolder
    private let loader: Loader

    init() throws {
        scratch = try ScratchFolder()
        let root = Root(path: scratch.path, executableFolder: "/nonexistent")
        loader = Loader(
            finder: LibraryFinder(root: root, logger: LineLogger(source: "host", minimum: .error) { _ in }))
    }

    private static func manifest() throws -> Manifest {
        let text = #"{"name": "one", "version": "1.0.0", "library": "libOne.so", "sdk": "\#(SDK.version)"}"#
        return try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
    }

    private static var subject: LibraryChecks.Subject {
        get throws { LibraryChecks.Subject(try manifest(), isPacked: false, isAlone: false, contracts: []) }
    }

    private func drop(_ source: String) async throws {
        try scratch.write(Data(try await SmallLibrary(source: source).bytes()), to: "Plugins/libOne.so")
    }

    private func load() async throws -> any Module.Type {
        try await loader.load(try await loader.copy(Self.subject), of: Self.manifest())
    }

    private func failure() async throws -> ViperError {
        defer { loader.removeCopies() }
        let error = try await #require(throws: ViperError.self) { _ = try await load() }
        #expect(error.operation == "cannot load library")
        #expect(error.subject == "libOne.so")
        return error
    }

    @Test("The error for an undefined symbol names the symbol")
    func missingSymbol() async throws {
        try await drop(
            "extern int no_such_function(void); int viper_entry_v1_One(void) { return no_such_function(); }")
        let error = try await failure()
        #expect(error.code == .libraryFailed)
        #expect(error.cause == "it needs a symbol that no library defines")
        #expect(error.notes == [.init("undefined", "no_such_function")])
    }

    @Test("An entry that returns null is an error")
    func null() async throws {
        try await drop("void *viper_entry_v1_One(void) { return 0; }")
        let error = try await failure()
        #expect(error.code == .libraryFailed)
        #expect(error.cause == "the entry viper_entry_v1_One returned no module")
    }

    @Test("An entry that does not return a packed module is an error with a suggested fix")
    func garbage() async throws {
        try await drop("static long words[3]; void *viper_entry_v1_One(void) { return words; }")
        let error = try await failure()
        #expect(error.code == .entryInvalid)
        #expect(error.cause == "it does not return a packed module")
        #expect(error.fix == "return ModuleEntry.export(YourModule.self) from it")
    }

    @Test("An entry with another ViperKit is an error")
    func otherSDK() async throws {
        try await drop(
            "static long words[3] = {0x56495045524D4F44, 1, 8}; void *viper_entry_v1_One(void) { return words; }")
        #expect(try await failure().cause == "it contains its own copy of ViperKit")
    }

    @Test("A library that the check refuses is not loaded, and its constructor does not run")
    func neverLoaded() async throws {
        let marker = "\(scratch.path)/ran"
        // The second library runs the same constructor, which proves that loading the first would have run it.
        let initialiser = """
            extern int creat(const char *, unsigned);
            __attribute__((constructor)) static void run(void) { creat("\(marker)", 384); }
            """
        try await drop(initialiser + " int viper_entry_v2_One(void) { return 1; }")
        #expect(try await failure().code == .libraryIncompatible)
        #expect(!FileManager.default.fileExists(atPath: marker))
        try await drop(initialiser + " void *viper_entry_v1_One(void) { return 0; }")
        #expect(try await failure().code == .libraryFailed)
        #expect(FileManager.default.fileExists(atPath: marker))
    }

    @Test("Each load uses the current file, not the library that was loaded before")
    func generations() async throws {
        try await drop("void *viper_entry_v1_One(void) { return 0; }")
        #expect(try await failure().cause == "the entry viper_entry_v1_One returned no module")
        try await drop("void *viper_entry_v1_Two(void) { return 0; }")
        #expect(try await failure().cause == "the entry viper_entry_v1_Two returned no module")
    }

    @Test("Checking a library does not load it")
    func check() async throws {
        let marker = "\(scratch.path)/ran"
        try await drop(
            """
            extern int creat(const char *, unsigned);
            __attribute__((constructor)) static void run(void) { creat("\(marker)", 384); }
            int viper_entry_v1_One(void) { return 1; }
            """)
        var record = CheckRecord()
        _ = try LibraryChecks(loader, after: .none).check(Self.subject, &record)
        #expect(record.results.count == 18 && record.results.allSatisfy { $0.error == nil })
        #expect(!FileManager.default.fileExists(atPath: marker))
        try scratch.write("text", to: "Plugins/libOne.so")
        // A child process that another test starts now may have the file open for writing.
        var error: ViperError?
        var last: CheckResult?
        _ = await eventually {
            error = #expect(throws: ViperError.self) {
                var record = CheckRecord()
                defer { last = record.results.last }
                _ = try LibraryChecks(loader, after: .none).check(Self.subject, &record)
            }
            return error?.code != .libraryUnfinished
        }
        #expect(error?.cause == "it is not an ELF file")
        // The first failure ends the checks.
        #expect(last?.promise == "it is a library for this machine" && last?.error == error)
    }
}

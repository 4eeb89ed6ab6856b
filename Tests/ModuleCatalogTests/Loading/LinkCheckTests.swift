import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

/// Undefined symbols and missing libraries, found without loading anything.
struct LinkCheckTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func check(_ bytes: [UInt8]) throws { try LinkCheck().check(bytes, of: "libOne.so") }

    private func failure(_ library: SmallLibrary) async throws -> ViperError {
        let bytes = try await library.bytes()
        let error = try #require(throws: ViperError.self) { try check(bytes) }
        #expect(error.code == .libraryFailed)
        return error
    }

    /// Builds a library for another one to link, in its own folder, and returns its path.
    private func dependency(_ source: String, _ name: String = "libDependency.so") async throws -> String {
        let bytes = try await SmallLibrary(source: source, linksViperKit: false, flags: ["-Wl,-soname,\(name)"]).bytes()
        return try scratch.write(Data(bytes), to: "dependency/\(name)")
    }

    @Test("The bundled modules and libFoundation.so pass the check")
    func bundled() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Products.folder).filter {
            $0.hasSuffix(".so")
        }
        #expect(names.contains("libCompanyList.so") && names.contains("libSQLiteProvider.so"))
        let links = LinkCheck()
        for name in names { try links.check(BuiltLibrary.bytes(name), of: name) }
        let foundation = "\(try Self.toolchain())/libFoundation.so"
        try links.check([UInt8](Data(contentsOf: URL(filePath: foundation))), of: foundation)
    }

    /// Returns the folder of the Swift libraries from a module's search paths.
    private static func toolchain() throws -> String {
        let paths = try ElfFile(BuiltLibrary.bytes("libCompanyList.so")).linkage().needs.searchPaths
        return try #require(paths.first { $0.hasSuffix("/swift/linux") })
    }

    @Test("Undefined symbols are named, except weak ones")
    func undefined() async throws {
        let error = try await failure(
            SmallLibrary(
                source: """
                    extern int missing_one(void); extern int missing_two(void); extern int getpid(void);
                    __attribute__((weak)) extern int missing_weak(void);
                    int viper_entry_v1_One(void) { return missing_one() + missing_two() + getpid() + !missing_weak; }
                    """))
        #expect(error.cause == "it needs 2 symbols that no library defines")
        #expect(error.notes == [.init("undefined", "missing_one"), .init("undefined", "missing_two")])
    }

    @Test("A needed library is found through the search paths, where $ORIGIN is not the module's folder")
    func needed() async throws {
        let dependency = try await dependency("int defined_elsewhere(void) { return 1; }")
        let folder = "\(scratch.path)/dependency"
        let source = "extern int defined_elsewhere(void); int viper_entry_v1_One(void) { return defined_elsewhere(); }"
        try check(try await SmallLibrary(source: source, flags: [dependency, "-Wl,-rpath,\(folder)"]).bytes())
        let error = try await failure(SmallLibrary(source: source, flags: [dependency, "-Wl,-rpath,$ORIGIN"]))
        #expect(error.cause == "it needs the library libDependency.so, which cannot be found")
        #expect(
            error.notes == [
                .init("looked in", "$ORIGIN, the folder of the private copy that the host loads"),
                .init("looked in", "the system's folders"),
            ])
    }

    @Test("A missing auxiliary library or filter is named", arguments: ["-f", "-F"])
    func filters(option: String) async throws {
        let error = try await failure(SmallLibrary(flags: ["-Wl,\(option),libNone.so"]))
        #expect(error.cause == "it needs the library libNone.so, which cannot be found")
    }

    @Test("A needed library that exists only for one kind of processor is found")
    func variant() async throws {
        let dependency = try await dependency("int defined_elsewhere(void) { return 1; }")
        let folder = "\(scratch.path)/dependency"
        let source = "extern int defined_elsewhere(void); int viper_entry_v1_One(void) { return defined_elsewhere(); }"
        let library = try await SmallLibrary(source: source, flags: [dependency, "-Wl,-rpath,\(folder)"]).bytes()
        let variants = "\(folder)/glibc-hwcaps/x86-64-v2"
        try FileManager.default.createDirectory(atPath: variants, withIntermediateDirectories: true)
        try #require(rename(dependency, "\(variants)/libDependency.so") == 0)
        try check(library)
    }

    @Test("A symbol that a needed library no longer defines is named")
    func removedSymbol() async throws {
        let dependency = try await dependency("int defined_elsewhere(void) { return 1; }")
        let source = "extern int defined_elsewhere(void); int viper_entry_v1_One(void) { return defined_elsewhere(); }"
        let library = try await SmallLibrary(
            source: source, flags: [dependency, "-Wl,-rpath,\(scratch.path)/dependency"]
        ).bytes()
        _ = try await self.dependency("int other(void) { return 1; }")
        let error = try #require(throws: ViperError.self) { try check(library) }
        #expect(error.notes == [.init("undefined", "defined_elsewhere")])
        // An unreadable library may define any symbol.
        try scratch.write(Data(library.prefix(200)), to: "dependency/libDependency.so")
        try check(library)
    }

    @Test("A needed library that is older than the one for which a library was built is named, with the version")
    func olderLibrary() async throws {
        func dependency(_ versions: [Int]) async throws -> String {
            let script = try scratch.write(
                versions.map { "V_\($0) { defined_\($0); };" }.joined(separator: "\n"), to: "versions")
            let source = versions.map { "int defined_\($0)(void) { return 1; }" }.joined(separator: "\n")
            let bytes = try await SmallLibrary(
                source: source, linksViperKit: false,
                flags: ["-Wl,-soname,libDependency.so", "-Wl,--version-script,\(script)"]
            ).bytes()
            return try scratch.write(Data(bytes), to: "dependency/libDependency.so")
        }
        let new = try await dependency([1, 2])
        let source = "extern int defined_2(void); int viper_entry_v1_One(void) { return defined_2(); }"
        let flags = [new, "-Wl,-rpath,\(scratch.path)/dependency"]
        let library = try await SmallLibrary(source: source, flags: flags).bytes()
        #expect(try ElfFile(library).neededVersions() == [.init(library: "libDependency.so", names: ["V_2"])])
        try check(library)
        let old = try await dependency([1])
        let error = try #require(throws: ViperError.self) { try check(library) }
        #expect(error.cause == "it needs V_2 of libDependency.so, and the one on this machine does not have it")
        #expect(error.notes == [.init("library", old)])
    }

    @Test("A named pipe in place of a needed library counts as missing, without blocking")
    func pipe() async throws {
        let pipe = "\(scratch.path)/pipe"
        let stub = SmallLibrary(source: "", linksViperKit: false, flags: ["-Wl,-soname,\(pipe)"])
        let dependency = try scratch.write(Data(try await stub.bytes()), to: "stub.so")
        let flags = ["-Wl,--no-as-needed", dependency]
        let library = SmallLibrary(source: "int viper_entry_v1_One(void) { return 1; }", flags: flags)
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try await failure(library).cause == "it needs the library \(pipe), which cannot be found")
    }
}

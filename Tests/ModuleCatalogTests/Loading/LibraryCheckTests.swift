import HostSystem
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

@Suite(.fewAtOnce)
struct LibraryCheckTests {
    private func failure(_ library: SmallLibrary) async throws -> ViperError {
        let bytes = try await library.bytes()
        let error = try #require(throws: ViperError.self) { try LibraryCheck(bytes, of: "libOne.so") }
        #expect(error.operation == "cannot load library")
        #expect(error.subject == "libOne.so")
        return error
    }

    @Test("A library with one entry that links libViperKit is accepted")
    func good() async throws {
        #expect(try await LibraryCheck(SmallLibrary().bytes(), of: "libOne.so").entrySymbol == "viper_entry_v1_One")
    }

    @Test("A module built by SwiftPM is accepted")
    func built() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        #expect(try LibraryCheck(bytes, of: "libCompanyList.so").entrySymbol == "viper_entry_v1_CompanyList")
    }

    @Test("ViperKit itself is refused, because it has no entry")
    func sdk() throws {
        let bytes = try BuiltLibrary.bytes("libViperKit.so")
        let error = try #require(throws: ViperError.self) { try LibraryCheck(bytes, of: "libViperKit.so") }
        #expect(error.cause == "it has no entry")
    }

    @Test("A text file is refused with a suggested fix")
    func text() throws {
        let error = try #require(throws: ViperError.self) { try LibraryCheck(Array("text".utf8), of: "libOne.so") }
        #expect(
            error
                == ViperError(
                    .libraryInvalid, operation: "cannot load library", subject: "libOne.so",
                    cause: "it is not an ELF file",
                    fix: "rebuild it with swift build, and copy the whole file"))
    }

    @Test("A library without an entry, or with several, is refused")
    func entries() async throws {
        let none = try await failure(SmallLibrary(source: "int other(void) { return 1; }"))
        #expect(none.code == .libraryInvalid)
        #expect(none.cause == "it has no entry")
        #expect(
            none.fix
                == "define exactly one function with @c(viper_entry_v1_NAME), as in @c(viper_entry_v1_NAME) public func "
                + "entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }")
        let two = try await failure(
            SmallLibrary(source: "int viper_entry_v1_B(void) { return 1; } int viper_entry_v1_A(void) { return 2; }"))
        #expect(two.code == .libraryInvalid)
        #expect(two.cause == "it has several entries: viper_entry_v1_A, viper_entry_v1_B")
    }

    @Test("An undefined or hidden symbol is not an entry")
    func notDefined() async throws {
        let wanted = "extern int viper_entry_v1_One(void); int other(void) { return viper_entry_v1_One(); }"
        #expect(try await failure(SmallLibrary(source: wanted)).cause == "it has no entry")
        let hidden = """
            __attribute__((visibility("hidden"))) int viper_entry_v1_One(void) { return 1; }
            int other(void) { return viper_entry_v1_One(); }
            """
        #expect(try await failure(SmallLibrary(source: hidden)).cause == "it has no entry")
    }

    @Test("A variable with an entry's name is not an entry")
    func variable() async throws {
        #expect(try await failure(SmallLibrary(source: "int viper_entry_v1_One = 1;")).cause == "it has no entry")
    }

    @Test(
        "An entry of another binary interface is refused, also beside a valid one",
        arguments: ["viper_entry_v2_One", "viper_module_v1_One"], ["", "int viper_entry_v1_One(void) { return 1; }"])
    func otherInterface(entry: String, also: String) async throws {
        let error = try await failure(SmallLibrary(source: "int \(entry)(void) { return 1; } \(also)"))
        #expect(error.code == .libraryIncompatible)
        #expect(
            error.cause
                == "its entry \(entry) belongs to another binary interface; this host's entries begin with viper_entry_v1_"
        )
        #expect(error.fix == "build it against this host's ViperKit")
    }

    @Test("A library that does not link libViperKit dynamically is refused")
    func noSDK() async throws {
        let error = try await failure(SmallLibrary(linksViperKit: false))
        #expect(error.code == .libraryIncompatible)
        #expect(error.cause == "it does not link libViperKit.so")
        #expect(error.fix == "link the host's libViperKit.so dynamically")
    }

    /// Returns a library that calls functions with these symbol names.
    private func calling(_ symbols: [String]) -> SmallLibrary {
        let declarations = symbols.enumerated().map { "extern int f\($0.offset)(void) __asm__(\"\($0.element)\");" }
        let calls = symbols.indices.map { "f\($0)()" }.joined(separator: " + ")
        return SmallLibrary(source: declarations.joined() + "int viper_entry_v1_One(void) { return \(calls); }")
    }

    @Test("Declarations that the host's ViperKit has are accepted")
    func present() async throws {
        let library = calling(["$s8ViperKit6ScreenV5titleSSvg", "$s8ViperKit3SDKO7versionSSvgZ"])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_entry_v1_One")
    }

    @Test("A module built by another Swift version is refused with both versions")
    func otherCompiler() async throws {
        let error = try await failure(
            calling(["$s8ViperKit8CompilerO9swift_6_2yyFZ", "$s8ViperKit6ScreenV8subtitleSSvg"]))
        #expect(error.code == .libraryIncompatible)
        #expect(error.cause == "it was built by Swift 6.2, and this host by Swift \(Compiler.version)")
        #expect(error.fix?.hasPrefix("build it with Swift \(Compiler.version)") == true)
    }

    @Test("The bundled libCompanyList.so is marked as built by Swift 6.3")
    func ownCompiler() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        let marks = try ElfFile(bytes).linkage().undefined.filter { $0.contains("8Compiler") }
        #expect(marks.map(demangled) == ["static ViperKit.Compiler.swift_6_3() -> ()"])
    }

    @Test("Declarations missing from the host's ViperKit are named in Swift syntax")
    func missing() async throws {
        let error = try await failure(
            calling([
                "$s8ViperKit6ScreenV5titleSSvg", "$s8ViperKit6ScreenV8subtitleSSvg", "$s8ViperKit6ModuleP4wakeyyYaFTj",
            ]))
        #expect(
            error
                == ViperError(
                    .libraryIncompatible, operation: "cannot load library", subject: "libOne.so",
                    cause:
                        "it needs declarations that are missing in this host's ViperKit \(SDK.version), "
                        + "although its manifest says that it was built for \(SDK.version)",
                    notes: [
                        .init("missing", "ViperKit.Module.wake() async -> ()"),
                        .init("missing", "ViperKit.Screen.subtitle.getter : Swift.String"),
                    ], fix: "update the host, or build the module against this host's ViperKit"))
    }

    @Test("Several symbols of one missing declaration are reported once")
    func oneDeclaration() async throws {
        let error = try await failure(
            calling([
                "$s8ViperKit6ModuleP4wakeyyYaFTj", "$s8ViperKit6ModuleP4wakeyyYaFTjTu",
                "$s8ViperKit6ModuleP4wakeyyYaFTq",
            ]))
        #expect(error.notes == [.init("missing", "ViperKit.Module.wake() async -> ()")])
    }

    @Test("The first five missing declarations are named, and the rest are counted")
    func many() async throws {
        let names = (1...7).map { "$s8ViperKit6ScreenV6title\($0)SSvg" }
        let error = try await failure(calling(names))
        #expect(error.notes.count == 6)
        #expect(error.notes.first?.text == "ViperKit.Screen.title1.getter : Swift.String")
        #expect(error.notes.last?.text == "and 2 more")
    }

    @Test("Symbols of other libraries are ignored, even if they mention ViperKit")
    func otherLibrary() async throws {
        let library = calling(["$s6Extras4showyy8ViperKit6ScreenVF", "$s18ViperKitExtensions5shoutyyF"])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_entry_v1_One")
    }

    @Test("Another library's extension or conformance of a ViperKit type is accepted")
    func otherExtension() async throws {
        let library = calling([
            "$s8ViperKit6ScreenV6ExtrasE5shoutyyF", "$s8ViperKit6ModuleP6ExtrasE4wakeyyF",
            "$s8ViperKit6ScreenV5Other3FooADWP",
        ])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_entry_v1_One")
    }

    @Test("A missing member of an extension in ViperKit is named")
    func missingExtension() async throws {
        let error = try await failure(calling(["$sSS8ViperKitE5viperSSvg"]))
        #expect(error.notes == [.init("missing", "(extension in ViperKit):Swift.String.viper.getter : Swift.String")])
    }

    @Test("A symbol name of 20,000 characters is refused")
    func hugeName() async throws {
        let name = String(repeating: "a", count: 20_000)
        let library = SmallLibrary(
            source: "int viper_entry_v1_One(void) { return 1; } int \(name)(void) { return 1; }")
        #expect(try await failure(library).cause == "a name is not terminated, or has more than 16384 bytes")
    }

    @Test(
        "A library built with a sanitizer that the host lacks is refused with the sanitizer's name",
        arguments: [("__asan_init", "AddressSanitizer", "address"), ("__msan_init", "MemorySanitizer", "memory")])
    func sanitizer(symbol: String, name: String, option: String) async throws {
        let error = try await failure(calling([symbol]))
        #expect(error.code == .libraryIncompatible)
        #expect(error.cause == "it was built with \(name), and this host without it")
        #expect(error.fix == "build it without -sanitize=\(option)")
    }

    @Test("Undefined symbols outside ViperKit are accepted")
    func foreign() async throws {
        let library = calling(["$s5Other3FooV3barSSvg", "no_such_function"])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_entry_v1_One")
    }
}

extension LibraryCheck {
    /// Checks a library whose manifest declares this ViperKit version.
    fileprivate init(_ bytes: [UInt8], of library: String) throws {
        try self.init(bytes, of: library, for: try #require(InterfaceVersion(SDK.version)))
    }
}

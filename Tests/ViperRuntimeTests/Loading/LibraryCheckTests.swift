import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

/// What can be said of a module's library without running it.
@Suite(.fewAtOnce)
struct LibraryCheckTests {
    private func failure(_ library: SmallLibrary) async throws -> ViperError {
        let bytes = try await library.bytes()
        let error = try #require(throws: ViperError.self) { try LibraryCheck(bytes, of: "libOne.so") }
        #expect(error.what == "cannot load library")
        #expect(error.subject == "libOne.so")
        return error
    }

    @Test("a library with one entry that links libViperKit is a module")
    func good() async throws {
        #expect(try await LibraryCheck(SmallLibrary().bytes(), of: "libOne.so").entrySymbol == "viper_module_v1_One")
    }

    @Test("a module that SwiftPM has built is one")
    func built() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        #expect(try LibraryCheck(bytes, of: "libCompanyList.so").entrySymbol == "viper_module_v1_CompanyList")
    }

    @Test("ViperKit itself is no module")
    func sdk() throws {
        let bytes = try BuiltLibrary.bytes("libViperKit.so")
        let error = try #require(throws: ViperError.self) { try LibraryCheck(bytes, of: "libViperKit.so") }
        #expect(error.cause == "it has no entry")
    }

    @Test("a text is refused, with what to do")
    func text() throws {
        let error = try #require(throws: ViperError.self) { try LibraryCheck(Array("text".utf8), of: "libOne.so") }
        #expect(
            error
                == ViperError(
                    .libraryInvalid, "cannot load library", "libOne.so", cause: "it is not an ELF file",
                    mend: "build it anew with swift build, and copy all of it"))
    }

    @Test("a library without an entry, or with several, is refused with how to define one")
    func entries() async throws {
        let none = try await failure(SmallLibrary(source: "int other(void) { return 1; }"))
        #expect(none.code == .libraryInvalid)
        #expect(none.cause == "it has no entry")
        #expect(
            none.mend
                == "define exactly one function with @c(viper_module_v1_NAME), as in @c(viper_module_v1_NAME) public func "
                + "entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }")
        let two = try await failure(
            SmallLibrary(source: "int viper_module_v1_B(void) { return 1; } int viper_module_v1_A(void) { return 2; }"))
        #expect(two.code == .libraryInvalid)
        #expect(two.cause == "it has several entries: viper_module_v1_A, viper_module_v1_B")
    }

    @Test("an entry that is only wanted, and one that only the library itself sees, are none")
    func notDefined() async throws {
        let wanted = "extern int viper_module_v1_One(void); int other(void) { return viper_module_v1_One(); }"
        #expect(try await failure(SmallLibrary(source: wanted)).cause == "it has no entry")
        let hidden = """
            __attribute__((visibility("hidden"))) int viper_module_v1_One(void) { return 1; }
            int other(void) { return viper_module_v1_One(); }
            """
        #expect(try await failure(SmallLibrary(source: hidden)).cause == "it has no entry")
    }

    @Test("a variable under the entry's name is none: calling it would crash the host")
    func variable() async throws {
        #expect(try await failure(SmallLibrary(source: "int viper_module_v1_One = 1;")).cause == "it has no entry")
    }

    @Test(
        "an entry of another binary interface is refused with its name, also beside one of this",
        arguments: ["", "int viper_module_v1_One(void) { return 1; }"])
    func otherInterface(also: String) async throws {
        let error = try await failure(SmallLibrary(source: "int viper_module_v2_One(void) { return 1; } \(also)"))
        #expect(error.code == .libraryIncompatible)
        #expect(
            error.cause == "its entry viper_module_v2_One is of another binary interface than this host's, version 1")
        #expect(error.mend == "build it against this host's ViperKit")
    }

    @Test("a library that does not link libViperKit dynamically is refused")
    func noSDK() async throws {
        let error = try await failure(SmallLibrary(linksViperKit: false))
        #expect(error.code == .libraryIncompatible)
        #expect(error.cause == "it does not link libViperKit.so")
        #expect(error.mend == "link the host's libViperKit.so dynamically")
    }

    /// A library that calls functions of these C names.
    private func calling(_ symbols: [String]) -> SmallLibrary {
        let declarations = symbols.enumerated().map { "extern int f\($0.offset)(void) __asm__(\"\($0.element)\");" }
        let calls = symbols.indices.map { "f\($0)()" }.joined(separator: " + ")
        return SmallLibrary(source: declarations.joined() + "int viper_module_v1_One(void) { return \(calls); }")
    }

    @Test("a declaration that this host's ViperKit has is no problem")
    func present() async throws {
        let library = calling(["$s8ViperKit6ScreenV5titleSSvg", "$s8ViperKit3SDKO7versionSSvgZ"])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_module_v1_One")
    }

    @Test("a module that another Swift has built is refused, naming both")
    func otherCompiler() async throws {
        let error = try await failure(
            calling(["$s8ViperKit8CompilerO9swift_6_2yyFZ", "$s8ViperKit6ScreenV8subtitleSSvg"]))
        #expect(error.code == .libraryIncompatible)
        #expect(error.cause == "it was built by Swift 6.2, and this host by Swift \(Compiler.version)")
        #expect(error.mend?.hasPrefix("build it with Swift \(Compiler.version)") == true)
    }

    @Test("the Swift that has built the bundled modules is the host's")
    func ownCompiler() throws {
        let bytes = try BuiltLibrary.bytes("libCompanyList.so")
        let marks = try ElfFile(bytes).linkage().undefined.filter { $0.contains("8Compiler") }
        #expect(marks.map(DynamicLinker.demangled) == ["static ViperKit.Compiler.swift_6_3() -> ()"])
    }

    @Test("declarations that this host's ViperKit does not have are named in Swift")
    func missing() async throws {
        let error = try await failure(
            calling([
                "$s8ViperKit6ScreenV5titleSSvg", "$s8ViperKit6ScreenV8subtitleSSvg", "$s8ViperKit6ModuleP4wakeyyYaFTj",
            ]))
        #expect(
            error
                == ViperError(
                    .libraryIncompatible, "cannot load library", "libOne.so",
                    cause: "it needs declarations that this host's ViperKit \(SDK.version) does not have, "
                        + "though its manifest says that it was built for \(SDK.version)",
                    notes: [
                        .init("missing", "ViperKit.Module.wake() async -> ()"),
                        .init("missing", "ViperKit.Screen.subtitle.getter : Swift.String"),
                    ], mend: "update the host, or build the module against this host's ViperKit"))
    }

    @Test("symbols that stand beside one missing declaration do not name it again")
    func oneDeclaration() async throws {
        let error = try await failure(
            calling([
                "$s8ViperKit6ModuleP4wakeyyYaFTj", "$s8ViperKit6ModuleP4wakeyyYaFTjTu",
                "$s8ViperKit6ModuleP4wakeyyYaFTq",
            ]))
        #expect(error.notes == [.init("missing", "ViperKit.Module.wake() async -> ()")])
    }

    @Test("of many missing declarations five are named, and the rest counted")
    func many() async throws {
        let names = (1...7).map { "$s8ViperKit6ScreenV6title\($0)SSvg" }
        let error = try await failure(calling(names))
        #expect(error.notes.count == 6)
        #expect(error.notes.first?.text == "ViperKit.Screen.title1.getter : Swift.String")
        #expect(error.notes.last?.text == "and 2 more")
    }

    @Test("what another library declares is its own, also when it speaks of ViperKit's types or begins with its name")
    func otherLibrary() async throws {
        let library = calling(["$s6Extras4showyy8ViperKit6ScreenVF", "$s18ViperKitExtensions5shoutyyF"])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_module_v1_One")
    }

    @Test("a missing member of an extension in ViperKit is named too")
    func missingExtension() async throws {
        let error = try await failure(calling(["$sSS8ViperKitE5viperSSvg"]))
        #expect(error.notes == [.init("missing", "(extension in ViperKit):Swift.String.viper.getter : Swift.String")])
    }

    @Test("a name of twenty thousand letters is refused: many symbols may share it, and each would be read")
    func hugeName() async throws {
        let name = String(repeating: "a", count: 20_000)
        let library = SmallLibrary(
            source: "int viper_module_v1_One(void) { return 1; } int \(name)(void) { return 1; }")
        #expect(try await failure(library).cause == "a name in it has no end, or more than 16384 bytes")
    }

    @Test(
        "a library with a sanitizer that this process does not have is refused in words",
        arguments: [("__asan_init", "AddressSanitizer", "address"), ("__msan_init", "MemorySanitizer", "memory")])
    func sanitizer(symbol: String, name: String, option: String) async throws {
        let error = try await failure(calling([symbol]))
        #expect(error.code == .libraryIncompatible)
        #expect(error.cause == "it was built with \(name), and this host without it")
        #expect(error.mend == "build it without -sanitize=\(option)")
    }

    @Test("symbols that are missing elsewhere are judged by the check of what it is linked with")
    func foreign() async throws {
        let library = calling(["$s5Other3FooV3barSSvg", "no_such_function"])
        #expect(try await LibraryCheck(library.bytes(), of: "libOne.so").entrySymbol == "viper_module_v1_One")
    }
}

extension LibraryCheck {
    /// A library whose manifest says that it was built for this ViperKit.
    fileprivate init(_ bytes: [UInt8], of library: String) throws {
        try self.init(bytes, of: library, for: try #require(SDKVersion(SDK.version)))
    }
}

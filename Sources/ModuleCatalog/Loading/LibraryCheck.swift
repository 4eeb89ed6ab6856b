import HostSystem
import ViperKit

/// What can be said of a module's library without running it.
struct LibraryCheck {
    /// The C name of the library's entry.
    let entrySymbol: String

    static let entryPrefix = "viper_module_v"
    private static let ownPrefix = "viper_module_v1_"
    private static let sdkLibrary = "libViperKit.so"

    /// Checks a library's bytes: that this machine can load it, that it is a module, that the host's Swift built it, and that this
    /// host's ViperKit has all that it needs.
    ///
    /// - Parameter sdk: The version that its manifest says it was built for.
    init(_ bytes: [UInt8], of library: String, for sdk: SDKVersion) throws(ViperError) {
        let linkage: ElfFile.Linkage
        do {
            linkage = try ElfFile(bytes).linkage()
        } catch {
            throw ViperError(
                .libraryInvalid, "cannot load library", library, cause: error.cause,
                mend: "build it anew with swift build, and copy all of it")
        }
        entrySymbol = try Self.entry(among: linkage.defined, of: library)
        guard linkage.neededLibraries.contains(Self.sdkLibrary) else {
            throw ViperError(
                .libraryIncompatible, "cannot load library", library, cause: "it does not link \(Self.sdkLibrary)",
                mend: "link the host's libViperKit.so dynamically")
        }
        try Self.checkSanitizer(linkage, of: library)
        try Self.checkCompiler(linkage.undefined, of: library)
        try Self.checkSDK(linkage.undefined, sdk, of: library)
    }

    private static func entry(among symbols: [String], of library: String) throws(ViperError) -> String {
        let entries = symbols.filter { $0.hasPrefix(entryPrefix) }.sorted()
        if let entry = entries.first, entries.count == 1, entry.hasPrefix(ownPrefix) { return entry }
        if let other = entries.first(where: { !$0.hasPrefix(ownPrefix) }) {
            throw ViperError(
                .libraryIncompatible, "cannot load library", library,
                cause: "its entry \(other) is of another binary interface than this host's, version 1",
                mend: "build it against this host's ViperKit")
        }
        throw ViperError(
            .libraryInvalid, "cannot load library", library,
            cause: entries.isEmpty ? "it has no entry" : "it has several entries: \(entries.joined(separator: ", "))",
            mend: "define exactly one function with @c(\(ownPrefix)NAME), as in "
                + "@c(\(ownPrefix)NAME) public func entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }"
        )
    }

    // By the prefixes of the functions that instrumented code calls, with the names that compilers take.
    private static let sanitizers = [
        (prefix: "__asan_", name: "AddressSanitizer", option: "address"),
        (prefix: "__hwasan_", name: "HWAddressSanitizer", option: "hwaddress"),
        (prefix: "__tsan_", name: "ThreadSanitizer", option: "thread"),
        (prefix: "__msan_", name: "MemorySanitizer", option: "memory"),
        (prefix: "__ubsan_", name: "UndefinedBehaviorSanitizer", option: "undefined"),
    ]

    /// Refuses a library with a sanitizer that this process does not have: its code needs the sanitizer from the start of the process.
    private static func checkSanitizer(_ linkage: ElfFile.Linkage, of library: String) throws(ViperError) {
        for sanitizer in sanitizers {
            // This one alone may come with the library.
            if sanitizer.option == "undefined", linkage.neededLibraries.contains(where: { $0.contains("ubsan") }) {
                continue
            }
            let symbol = linkage.required.first { $0.hasPrefix(sanitizer.prefix) && !DynamicLinker.hasSymbol($0) }
            if symbol == nil { continue }
            throw ViperError(
                .libraryIncompatible, "cannot load library", library,
                cause: "it was built with \(sanitizer.name), and this host without it",
                mend: "build it without -sanitize=\(sanitizer.option)")
        }
    }

    /// Checks the mark that ``ViperKit/Compiler`` leaves.
    private static func checkCompiler(_ undefined: [String], of library: String) throws(ViperError) {
        guard let version = compiler(amongThoseNeeded: undefined), version != Compiler.version else { return }
        throw ViperError(
            .libraryIncompatible, "cannot load library", library,
            cause: "it was built by Swift \(version), and this host by Swift \(Compiler.version)",
            mend: "build it with Swift \(Compiler.version): Swift on Linux promises no binary compatibility")
    }

    /// The minor version of Swift that has built a library, from the mark that it needs; nil for what is no module.
    static func compiler(amongThoseNeeded undefined: [String]) -> String? {
        let marks = undefined.filter { $0.hasPrefix("$s8ViperKit8CompilerO") }
        // static ViperKit.Compiler.swift_6_3() -> ()
        let names = marks.flatMap { DynamicLinker.demangled($0).split { $0 == "." || $0 == "(" } }
        let name = names.first { $0.hasPrefix("swift_") }
        return name.map { $0.dropFirst("swift_".utf8.count).split(separator: "_").joined(separator: ".") }
    }

    private static func checkSDK(
        _ undefined: [String], _ sdk: SDKVersion, of library: String
    ) throws(ViperError) {
        let notes = missingDeclarations(undefined)
        if notes.isEmpty { return }
        throw ViperError(
            .libraryIncompatible, "cannot load library", library,
            cause:
                "it needs declarations that this host's ViperKit \(SDK.version) does not have, though its manifest says "
                + "that it was built for \(sdk)",
            notes: notes, mend: "update the host, or build the module against this host's ViperKit")
    }

    /// The declarations of ViperKit that a library needs and this host does not have, as evidence. None of what is no library.
    static func missingDeclarations(in bytes: [UInt8]) -> [ViperError.Note] {
        guard let linkage = try? ElfFile(bytes).linkage() else { return [] }
        return missingDeclarations(linkage.undefined)
    }

    private static func missingDeclarations(_ undefined: [String]) -> [ViperError.Note] {
        let names = declarations(undefined.filter { isDeclaredByViperKit($0) && !DynamicLinker.hasSymbol($0) })
        return names.prefix(5).map { .init("missing", $0) }
            + (names.count > 5 ? [.init("missing", "and \(names.count - 5) more")] : [])
    }

    /// The Swift declarations behind mangled names, sorted, each once.
    static func declarations(_ symbols: [String]) -> [String] {
        // One declaration has several symbols. Async function pointers (Tu) and method descriptors (Tq) stand beside the
        // declaration itself, a dispatch thunk (Tj) in its place.
        let telling = symbols.filter { !$0.hasSuffix("Tu") && !$0.hasSuffix("Tq") }
        return Set((telling.isEmpty ? symbols : telling).map(declaration)).sorted()
    }

    /// Whether a mangled name is of a declaration in ViperKit, or in an extension there. One that only mentions ViperKit's types
    /// may come from any other library that the module links.
    static func isDeclaredByViperKit(_ symbol: String) -> Bool {
        // "8ViperKit" is how mangled names spell the module; another digit before it would make it another module's end.
        if symbol.hasPrefix("$s8ViperKit") { return true }
        // By bytes: a library has thousands of names, and each is looked at in each start of its module.
        let bytes = Array(symbol.utf8)
        return bytes.indices.dropFirst().contains { index in
            bytes[index...].starts(with: extensionMark) && !(0x30...0x39).contains(bytes[index - 1])
        }
    }

    private static let extensionMark = Array("8ViperKitE".utf8)

    private static func declaration(_ symbol: String) -> String {
        let text = DynamicLinker.demangled(symbol)
        let thunk = "dispatch thunk of "
        return text.hasPrefix(thunk) ? String(text.dropFirst(thunk.count)) : text
    }
}

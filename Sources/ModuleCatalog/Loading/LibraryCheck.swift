import ViperKit

/// The checks of a module's library that run none of its code.
struct LibraryCheck {
    let entrySymbol: String

    private static let ownPrefix = "viper_entry_v1_"
    private static let sdkLibrary = "libViperKit.so"

    /// Checks that this machine can load a library, that it is a module, and that the host's Swift version built it.
    /// Also checks that this host's ViperKit has every declaration that it needs.
    ///
    /// - Parameters:
    ///   - bytes: The content of the library.
    ///   - library: The name of the library for errors.
    ///   - sdk: The version of ViperKit in the module's manifest.
    init(_ bytes: [UInt8], of library: String, for sdk: SDKVersion) throws(ViperError) {
        let linkage: ElfFile.Linkage
        do {
            linkage = try ElfFile(bytes).linkage()
        } catch {
            throw ViperError(
                .libraryInvalid, "cannot load library", library, cause: error.cause,
                recoverySuggestion: "rebuild it with swift build, and copy the whole file")
        }
        entrySymbol = try Self.entry(among: linkage.defined, of: library)
        guard linkage.neededLibraries.contains(Self.sdkLibrary) else {
            throw ViperError(
                .libraryIncompatible, "cannot load library", library, cause: "it does not link \(Self.sdkLibrary)",
                recoverySuggestion: "link the host's libViperKit.so dynamically")
        }
        try Self.checkSanitizer(linkage, of: library)
        try Self.checkCompiler(linkage.undefined, of: library)
        try Self.checkSDK(linkage.undefined, sdk, of: library)
    }

    /// Returns true for an entry of any version. `viper_module_v` begins the entries of libraries built before
    /// ViperKit 1.0.
    static func isEntry(_ symbol: String) -> Bool {
        symbol.hasPrefix("viper_entry_v") || symbol.hasPrefix("viper_module_v")
    }

    private static func entry(among symbols: [String], of library: String) throws(ViperError) -> String {
        let entries = symbols.filter(isEntry).sorted()
        if let entry = entries.first, entries.count == 1, entry.hasPrefix(ownPrefix) { return entry }
        if let other = entries.first(where: { !$0.hasPrefix(ownPrefix) }) {
            throw ViperError(
                .libraryIncompatible, "cannot load library", library,
                cause:
                    "its entry \(other) belongs to another binary interface; this host's entries begin with \(ownPrefix)",
                recoverySuggestion: "build it against this host's ViperKit")
        }
        throw ViperError(
            .libraryInvalid, "cannot load library", library,
            cause: entries.isEmpty ? "it has no entry" : "it has several entries: \(entries.joined(separator: ", "))",
            recoverySuggestion: "define exactly one function with @c(\(ownPrefix)NAME), as in "
                + "@c(\(ownPrefix)NAME) public func entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }"
        )
    }

    // The prefixes of the functions that instrumented code calls, and the options of compilers.
    private static let sanitizers = [
        (prefix: "__asan_", name: "AddressSanitizer", option: "address"),
        (prefix: "__hwasan_", name: "HWAddressSanitizer", option: "hwaddress"),
        (prefix: "__tsan_", name: "ThreadSanitizer", option: "thread"),
        (prefix: "__msan_", name: "MemorySanitizer", option: "memory"),
        (prefix: "__ubsan_", name: "UndefinedBehaviorSanitizer", option: "undefined"),
    ]

    /// Refuses a library with a sanitizer that this process does not have. Its code needs the sanitizer from the start
    /// of the process.
    private static func checkSanitizer(_ linkage: ElfFile.Linkage, of library: String) throws(ViperError) {
        for sanitizer in sanitizers {
            // Only the runtime of this sanitizer can be loaded later, together with the library.
            if sanitizer.option == "undefined", linkage.neededLibraries.contains(where: { $0.contains("ubsan") }) {
                continue
            }
            let symbol = linkage.required.first { $0.hasPrefix(sanitizer.prefix) && !DynamicLinker.hasSymbol($0) }
            if symbol == nil { continue }
            throw ViperError(
                .libraryIncompatible, "cannot load library", library,
                cause: "it was built with \(sanitizer.name), and this host without it",
                recoverySuggestion: "build it without -sanitize=\(sanitizer.option)")
        }
    }

    /// Checks the mark that ``ViperKit/Compiler`` leaves in the library.
    private static func checkCompiler(_ undefined: [String], of library: String) throws(ViperError) {
        guard let version = compiler(amongThoseNeeded: undefined), version != Compiler.version else { return }
        throw ViperError(
            .libraryIncompatible, "cannot load library", library,
            cause: "it was built by Swift \(version), and this host by Swift \(Compiler.version)",
            recoverySuggestion:
                "build it with Swift \(Compiler.version): Swift on Linux promises no binary compatibility")
    }

    /// Returns the minor version of Swift that built a library, such as "6.3", from the mark among its undefined
    /// symbols. Returns nil if the library has no mark.
    static func compiler(amongThoseNeeded undefined: [String]) -> String? {
        let marks = undefined.filter { $0.hasPrefix("$s8ViperKit8CompilerO") }
        // A demangled mark: static ViperKit.Compiler.swift_6_3() -> ()
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
                "it needs declarations that are missing in this host's ViperKit \(SDK.version), "
                + "although its manifest says that it was built for \(sdk)",
            notes: notes, recoverySuggestion: "update the host, or build the module against this host's ViperKit")
    }

    /// Returns the declarations of ViperKit that a library needs and this host does not have, as notes for an error.
    /// Empty if the file is not a library.
    static func missingDeclarations(in bytes: [UInt8]) -> [ViperError.Note] {
        guard let linkage = try? ElfFile(bytes).linkage() else { return [] }
        return missingDeclarations(linkage.undefined)
    }

    private static func missingDeclarations(_ undefined: [String]) -> [ViperError.Note] {
        let names = declarations(undefined.filter { mayBeDeclaredByViperKit($0) && !DynamicLinker.hasSymbol($0) })
        return names.prefix(5).map { .init("missing", $0) }
            + (names.count > 5 ? [.init("missing", "and \(names.count - 5) more")] : [])
    }

    /// Returns ViperKit's declarations among mangled names, in Swift syntax, sorted and without duplicates.
    static func declarations(_ symbols: [String]) -> [String] {
        // One declaration can have several symbols. Async function pointers (Tu) and method descriptors (Tq) exist in
        // addition to its own symbol. A dispatch thunk (Tj) replaces it.
        let telling = symbols.filter { !$0.hasSuffix("Tu") && !$0.hasSuffix("Tq") }
        return Set((telling.isEmpty ? symbols : telling).map(declaration)).filter(isDeclaredByViperKit).sorted()
    }

    /// Returns true if a mangled name starts with ViperKit, or belongs to an extension that ViperKit declares.
    ///
    /// A name that only mentions ViperKit's types comes from another library. The names of other libraries' extensions
    /// and conformances of ViperKit's types start with ViperKit, too; ``isDeclaredByViperKit(_:)`` tells them apart.
    static func mayBeDeclaredByViperKit(_ symbol: String) -> Bool {
        // Mangled names spell the module as "8ViperKit". After another digit, this would be the end of a longer name.
        if symbol.hasPrefix("$s8ViperKit") { return true }
        // Compares bytes for speed: a library has thousands of names, and every start of its module checks them.
        let bytes = Array(symbol.utf8)
        return bytes.indices.dropFirst().contains { index in
            bytes[index...].starts(with: extensionMark) && !(0x30...0x39).contains(bytes[index - 1])
        }
    }

    /// Returns false for a demangled name of another library's extension, such as
    /// `(extension in Extras):ViperKit.Screen.shout() -> ()`, or conformance, which ends with ` in Extras`.
    private static func isDeclaredByViperKit(_ declaration: String) -> Bool {
        let mark = "(extension in "
        if let range = declaration.firstRange(of: mark) {
            return declaration[range.upperBound...].hasPrefix("ViperKit)")
        }
        if declaration.contains("conformance") || declaration.contains("protocol witness table") {
            return declaration.hasSuffix(" in ViperKit")
        }
        return true
    }

    private static let extensionMark = Array("8ViperKitE".utf8)

    private static func declaration(_ symbol: String) -> String {
        let text = DynamicLinker.demangled(symbol)
        let thunk = "dispatch thunk of "
        return text.hasPrefix(thunk) ? String(text.dropFirst(thunk.count)) : text
    }
}

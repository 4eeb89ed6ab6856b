import HostSystem
import ViperKit

/// The checks that the host performs on a module's library without running its code.
struct LibraryCheck {
    let file: ElfFile
    let linkage: ElfFile.Linkage
    /// The name of the entry function. Nil if the library is a contract.
    let entrySymbol: String?

    private static let ownPrefix = "viper_entry_v1_"
    static let sdkLibrary = "libViperKit.so"

    /// Checks that this machine can load a library, that the library is of the given kind, and that the host's Swift
    /// version built it. Also checks that this host's ViperKit has all declarations that the library needs.
    ///
    /// - Parameters:
    ///   - bytes: The content of the library.
    ///   - library: The name of the library to show in errors.
    ///   - sdk: The version of ViperKit in the module's manifest.
    ///   - kind: The kind of library in the manifest.
    /// - Throws: ``ViperError/Code/libraryInvalid`` if the file is not a module for this machine, or
    ///   ``ViperError/Code/libraryIncompatible`` if another check fails.
    init(
        _ bytes: [UInt8], of library: String, for sdk: InterfaceVersion, kind: Manifest.Kind = .module
    ) throws(ViperError) {
        var record = CheckRecord()
        try self.init(bytes, of: library, for: sdk, kind: kind, &record)
    }

    /// Performs the same checks, and notes the result of each.
    init(
        _ bytes: [UInt8], of library: String, for sdk: InterfaceVersion, kind: Manifest.Kind,
        _ record: inout CheckRecord
    ) throws(ViperError) {
        let (file, linkage) = try record.check("it is a library for this machine") { () throws(ViperError) in
            try Self.content(bytes, of: library)
        }
        (self.file, self.linkage) = (file, linkage)
        switch kind {
        case .module:
            entrySymbol = try record.check("it has one entry, of this host's binary interface") {
                () throws(ViperError) in try Self.entry(among: linkage.defined, of: library)
            }
            // A contract may consist of declarations that need only the standard library.
            try record.check("it links the host's \(Self.sdkLibrary)") { () throws(ViperError) in
                try Self.checkKit(linkage, of: library)
            }
        case .contract:
            entrySymbol = nil
            try record.check("it is a contract under its own name") { () throws(ViperError) in
                try Self.checkContract(linkage, of: library)
            }
        }
        try record.check("it needs no sanitizer that this host lacks") { () throws(ViperError) in
            try Self.checkSanitizer(linkage, of: library)
        }
        try record.check("it was built by Swift \(Compiler.version)") { () throws(ViperError) in
            try Self.checkCompiler(linkage.undefined, of: library)
        }
        try record.check("ViperKit \(SDK.version) has all declarations that it needs") { () throws(ViperError) in
            try Self.checkSDK(linkage.undefined, sdk, of: library)
        }
    }

    private static func content(
        _ bytes: [UInt8], of library: String
    ) throws(ViperError) -> (file: ElfFile, linkage: ElfFile.Linkage) {
        do {
            let file = try ElfFile(bytes)
            return (file, try file.linkage())
        } catch {
            throw ViperError(
                .libraryInvalid, operation: "cannot load library", subject: library, cause: error.cause,
                fix: "rebuild it with swift build, and copy the whole file")
        }
    }

    private static func checkKit(_ linkage: ElfFile.Linkage, of library: String) throws(ViperError) {
        if linkage.needs.libraries.contains(sdkLibrary) { return }
        throw ViperError(
            .libraryIncompatible, operation: "cannot load library", subject: library,
            cause: "it does not link \(sdkLibrary)", fix: "link the host's libViperKit.so dynamically")
    }

    /// Returns true if a symbol is the name of an entry of any version. Libraries built before ViperKit 1.0 have
    /// entries that begin with `viper_module_v`.
    static func isEntry(_ symbol: String) -> Bool {
        symbol.hasPrefix("viper_entry_v") || symbol.hasPrefix("viper_module_v")
    }

    private static func entry(among symbols: [String], of library: String) throws(ViperError) -> String {
        let entries = symbols.filter(isEntry).sorted()
        if let entry = entries.first, entries.count == 1, entry.hasPrefix(ownPrefix) { return entry }
        if let other = entries.first(where: { !$0.hasPrefix(ownPrefix) }) {
            throw ViperError(
                .libraryIncompatible, operation: "cannot load library", subject: library,
                cause:
                    "its entry \(other) belongs to another binary interface; this host's entries begin with \(ownPrefix)",
                fix: "build it against this host's ViperKit")
        }
        throw ViperError(
            .libraryInvalid, operation: "cannot load library", subject: library,
            cause: entries.isEmpty ? "it has no entry" : "it has several entries: \(entries.joined(separator: ", "))",
            fix: "define exactly one function with @c(\(ownPrefix)NAME), as in "
                + "@c(\(ownPrefix)NAME) public func entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }"
        )
    }

    /// Throws if a library has an entry, or a name under which its users do not find it.
    private static func checkContract(_ linkage: ElfFile.Linkage, of library: String) throws(ViperError) {
        if let entry = linkage.defined.filter(isEntry).min() {
            throw ViperError(
                .libraryInvalid, operation: "cannot load library", subject: library,
                cause: "it has the entry \(entry), and its manifest says that it is a contract",
                fix: "remove the entry, or remove \"kind\" from the manifest")
        }
        if linkage.name == library { return }
        throw ViperError(
            .libraryInvalid, operation: "cannot load library", subject: library,
            cause: "its SONAME is \(linkage.name ?? "missing"), expected \(library)",
            fix: "build it with host build, or link it with -Xlinker -soname=\(library)")
    }

    // The sanitizers. Each has the prefix of the functions that instrumented code calls, and the value of the
    // compiler's option.
    private static let sanitizers = [
        (prefix: "__asan_", name: "AddressSanitizer", option: "address"),
        (prefix: "__hwasan_", name: "HWAddressSanitizer", option: "hwaddress"),
        (prefix: "__tsan_", name: "ThreadSanitizer", option: "thread"),
        (prefix: "__msan_", name: "MemorySanitizer", option: "memory"),
        (prefix: "__ubsan_", name: "UndefinedBehaviorSanitizer", option: "undefined"),
    ]

    /// Throws if a library needs a sanitizer that this process does not have. A sanitizer must be present when the
    /// process starts.
    private static func checkSanitizer(_ linkage: ElfFile.Linkage, of library: String) throws(ViperError) {
        // Few symbols begin like those of a sanitizer, so most are compared only once.
        let candidates = linkage.required.filter { $0.hasPrefix("__") }
        for sanitizer in sanitizers {
            let symbol = candidates.first { $0.hasPrefix(sanitizer.prefix) && !DynamicLinker.hasSymbol($0) }
            if symbol == nil { continue }
            // Unlike the runtimes of other sanitizers, this runtime can be loaded later, together with the library.
            if sanitizer.option == "undefined", linkage.needs.libraries.contains(where: { $0.contains("ubsan") }) {
                continue
            }
            throw ViperError(
                .libraryIncompatible, operation: "cannot load library", subject: library,
                cause: "it was built with \(sanitizer.name), and this host without it",
                fix: "build it without -sanitize=\(sanitizer.option)")
        }
    }

    /// Throws if another Swift version built the library, according to the version symbol; see ``ViperKit/Compiler``.
    private static func checkCompiler(_ undefined: [String], of library: String) throws(ViperError) {
        guard let version = compiler(amongThoseNeeded: undefined), version != Compiler.version else { return }
        throw ViperError(
            .libraryIncompatible, operation: "cannot load library", subject: library,
            cause: "it was built by Swift \(version), and this host by Swift \(Compiler.version)",
            fix:
                "build it with Swift \(Compiler.version): Swift on Linux promises no binary compatibility")
    }

    /// Returns the minor version of Swift that built a library, such as "6.3". The version is part of the version
    /// symbol, which is one of the undefined symbols. Returns nil if the library has no version symbol.
    static func compiler(amongThoseNeeded undefined: [String]) -> String? {
        let marks = undefined.filter { $0.hasPrefix("$s8ViperKit8CompilerO") }
        // An example of a demangled version symbol: static ViperKit.Compiler.swift_6_3() -> ()
        let names = marks.flatMap { demangled($0).split { $0 == "." || $0 == "(" } }
        let name = names.first { $0.hasPrefix("swift_") }
        return name.map { $0.dropFirst("swift_".utf8.count).split(separator: "_").joined(separator: ".") }
    }

    private static func checkSDK(
        _ undefined: [String], _ sdk: InterfaceVersion, of library: String
    ) throws(ViperError) {
        let notes = missingDeclarations(undefined)
        if notes.isEmpty { return }
        throw ViperError(
            .libraryIncompatible, operation: "cannot load library", subject: library,
            cause:
                "it needs declarations that are missing in this host's ViperKit \(SDK.version), "
                + "although its manifest says that it was built for \(sdk)",
            notes: notes, fix: "update the host, or build the module against this host's ViperKit")
    }

    /// Returns the ViperKit declarations that a library needs and this host does not have, as notes for an error.
    /// Returns an empty array if the file is not a library.
    static func missingDeclarations(in bytes: [UInt8]) -> [ViperError.Note] {
        guard let linkage = try? ElfFile(bytes).linkage() else { return [] }
        return missingDeclarations(linkage.undefined)
    }

    private static func missingDeclarations(_ undefined: [String]) -> [ViperError.Note] {
        ModuleSymbols.viperKit.missing(undefined) { DynamicLinker.hasSymbol($0) }
    }
}

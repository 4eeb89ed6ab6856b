import FoundationEssentials
import Glibc
import HostSystem
import ViperKit

/// A check that predicts whether the dynamic linker can link a library. It does not load the library.
///
/// The check reports only failures that are certain. For example, if one needed library cannot be read, missing symbols
/// are not reported, because they may be in that library. To check several libraries, use the same `LinkCheck`, which
/// reads each needed library only once.
package final class LinkCheck {
    /// The libraries that were read, keyed by path. A value is nil if the file cannot be read.
    private var files: [String: ElfFile?] = [:]
    /// The needed libraries that were found, each followed by its search paths.
    private var found: Set<[String]> = []
    private lazy var systemPaths = Self.systemPaths()
    /// The contracts that a host would load before the library that is checked now, keyed by library name.
    private var contracts: [String: ElfFile] = [:]

    package init() {}

    /// Checks a library that uses contracts, whose libraries are given by name.
    ///
    /// - Throws: The same errors as ``check(_:of:)``.
    func check(
        _ file: ElfFile, _ linkage: ElfFile.Linkage, of library: String, with contracts: [String: ElfFile]
    ) throws(ViperError) {
        self.contracts = contracts
        defer { self.contracts = [:] }
        try check(file, linkage, of: library)
    }

    /// Checks the content of a library.
    ///
    /// - Throws: ``ViperError/Code/libraryFailed`` if a needed library is missing, or if no library defines a needed
    ///   symbol.
    func check(_ bytes: [UInt8], of library: String) throws(ViperError) {
        // Another check rejects an invalid file and explains the reason.
        guard let file = try? ElfFile(bytes), let linkage = try? file.linkage() else { return }
        try check(file, linkage, of: library)
    }

    /// Checks a library whose linkage is already known.
    ///
    /// - Throws: The same errors as ``check(_:of:)``.
    func check(_ file: ElfFile, _ linkage: ElfFile.Linkage, of library: String) throws(ViperError) {
        let paths = Self.folders(linkage.needs.searchPaths, origin: nil)
        // Only the dynamic linker knows the values of `$LIB` and `$PLATFORM`.
        if paths.contains(where: { $0.utf8.contains(UInt8(ascii: "$")) }) { return }
        for needed in linkage.needs.libraries where contracts[needed] == nil && !isThere(needed, paths) {
            throw missing(needed, linkage, of: library)
        }
        try checkVersions(file, of: library, paths)
        let unknown = linkage.required.filter { !DynamicLinker.hasSymbol($0) }
        if unknown.isEmpty { return }
        let undefined = undefined(Set(unknown), in: linkage, paths)
        // The static linker keeps undefined symbols that no code refers to. A library can be loaded without them.
        guard !undefined.isEmpty, let names = try? file.references(to: undefined), !names.isEmpty else { return }
        throw Self.undefined(names, of: library)
    }

    /// Throws an error if a needed library is older than the one for which a library was built.
    private func checkVersions(_ file: ElfFile, of library: String, _ paths: [String]) throws(ViperError) {
        for needed in (try? file.neededVersions()) ?? [] where contracts[needed.library] == nil {
            let loaded = DynamicLinker.loaded(needed.library)?.path
            guard let path = loaded ?? located(needed.library, paths),
                let defined = try? self.file(path)?.definedVersions(), !defined.isEmpty
            else { continue }
            let missing = needed.names.filter { !defined.contains($0) }
            guard let first = missing.first else { continue }
            throw ViperError(
                .libraryFailed, operation: "cannot load library", subject: library,
                cause: "it needs \(first) of \(needed.library), and the one on this machine does not have it",
                notes: missing.dropFirst().map { .init("also missing", $0) } + [.init("library", path)],
                fix: "build it on a system that is not newer than this one, or update \(needed.library)")
        }
    }

    /// Returns true if a library is part of the host: ViperKit, or one of Swift's libraries that the host uses. The host
    /// gives modules its own, whatever their search paths say.
    func isOfHost(_ library: String) -> Bool {
        if library == LibraryCheck.sdkLibrary { return true }
        return DynamicLinker.runtimeFolder.map { access("\($0)/\(library)", F_OK) == 0 } ?? false
    }

    private func isThere(_ library: String, _ paths: [String]) -> Bool {
        // The dynamic linker opens files to find out whether it has loaded a library.
        if found.contains([library] + paths) { return true }
        if DynamicLinker.hasLoaded(library) || located(library, paths) != nil {
            found.insert([library] + paths)
            return true
        }
        if library.utf8.contains(UInt8(ascii: "/")) { return false }
        // Only the dynamic linker knows the other places that it searches. It searches the program's folder only for
        // libraries that the program itself needs, and not for libraries that a module needs.
        return DynamicLinker.finds(library) && access("\(Root.folderOfExecutable)/\(library)", F_OK) != 0
    }

    /// Returns the symbols that no needed library defines. Returns an empty set if one of these libraries cannot be
    /// read.
    private func undefined(_ symbols: Set<String>, in linkage: ElfFile.Linkage, _ paths: [String]) -> Set<String> {
        var rest = symbols
        var (waiting, seen) = (linkage.needs.libraries.map { ($0, paths) }, Set(linkage.needs.libraries))
        while let (library, paths) = waiting.popLast(), !rest.isEmpty {
            if let contract = contracts[library] {
                guard let others = try? rest.filter({ try !contract.defines($0) }) else { return [] }
                rest = others
                continue
            }
            if DynamicLinker.hasLoaded(library) {
                rest = rest.filter { !DynamicLinker.hasSymbol($0, in: library) }
                continue
            }
            guard let path = located(library, paths), let file = file(path), let linkage = try? file.linkage(),
                let others = try? rest.filter({ try !file.defines($0) })
            else { return [] }
            rest = others
            // The library may need other libraries. They are found in its own search paths or in the search paths of
            // the libraries that need it.
            let folder = parentFolder(of: path)
            let further = Self.folders(linkage.needs.searchPaths, origin: folder) + paths
            waiting += linkage.needs.libraries.filter { seen.insert($0).inserted }.map { ($0, further) }
        }
        return rest
    }

    /// Returns the path at which the dynamic linker finds a library for this machine, or nil if it does not find the
    /// library.
    private func located(_ library: String, _ paths: [String]) -> String? { candidates(library, paths).first }

    /// Returns the files of which the dynamic linker loads one: those in the first folder that has the library, with its
    /// variants for other processors, or else those that the system's cache names. Empty if it finds none.
    func candidates(_ library: String, _ paths: [String]) -> [String] {
        if library.utf8.contains(UInt8(ascii: "/")) { return Self.isLoadable(library) ? [library] : [] }
        for folder in Self.folders(of: "LD_LIBRARY_PATH") + paths {
            let found = (LibraryVariants.folders(in: folder) + [folder]).map { "\($0)/\(library)" }
                .filter(Self.isLoadable)
            if !found.isEmpty { return found }
        }
        let ofSystem =
            systemPaths[library, default: []] + Self.standardFolders.map { "\($0)/\(library)" }
        let found = ofSystem.filter(Self.isLoadable)
        if !found.isEmpty { return found }
        // The host loads Swift's libraries itself if the linker does not find them.
        return [DynamicLinker.runtimeFolder].compactMap { $0.map { "\($0)/\(library)" } }.filter(Self.isLoadable)
    }

    /// Returns true if a file may be a library for this machine. The dynamic linker skips other files.
    static func isLoadable(_ path: String) -> Bool {
        guard let file = try? RegularFile(path: path),
            case .bytes(let beginning) = SystemRead(of: file.descriptor, limit: ElfFile.headerSize)
        else { return false }
        return ElfFile.isLoadable(beginning: beginning)
    }

    /// Returns the library at a path. Nil if it cannot be read.
    func file(_ path: String) -> ElfFile? {
        if let known = files[path] { return known }
        let content = try? RegularFile(path: path).read(limit: ElfFile.limit)
        let file = content.flatMap { try? ElfFile([UInt8]($0)) }
        files[path] = .some(file)
        return file
    }

    private static let standardFolders = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"]

    /// Returns the paths in the dynamic linker's cache, keyed by library name.
    private static func systemPaths() -> [String: [String]] {
        guard let cache = try? RegularFile(path: "/etc/ld.so.cache").read(limit: ElfFile.limit) else {
            return [:]
        }
        return cache.split(separator: 0).reduce(into: [:]) { paths, text in
            guard text.first == UInt8(ascii: "/"), let slash = text.lastIndex(of: UInt8(ascii: "/")) else { return }
            paths[String(decoding: text[(slash + 1)...], as: UTF8.self), default: []]
                .append(String(decoding: text, as: UTF8.self))
        }
    }

    /// Returns the folders that an environment variable lists.
    static func folders(of variable: String) -> [String] {
        let value = environmentVariable(variable) ?? ""
        return value.split { $0 == ":" || $0 == ";" }.map(String.init)
    }

    /// Returns the search paths with `$ORIGIN` replaced by `origin`. If `origin` is nil, omits paths that contain
    /// `$ORIGIN`. A module is loaded from a private copy, so there are no other libraries beside it. The dynamic linker
    /// takes an empty path for the working folder.
    static func folders(_ paths: [String], origin: String?) -> [String] {
        paths.compactMap { path in
            guard path.utf8.contains(UInt8(ascii: "$")), path.contains("$ORIGIN") || path.contains("${ORIGIN}") else {
                return path.isEmpty ? "." : path
            }
            return origin.map { path.replacing("${ORIGIN}", with: $0).replacing("$ORIGIN", with: $0) }
        }
    }

    private func missing(_ needed: String, _ linkage: ElfFile.Linkage, of library: String) -> ViperError {
        let places = linkage.needs.searchPaths.map { path in
            path.contains("ORIGIN") ? "\(path), the folder of the private copy that the host loads" : path
        }
        return ViperError(
            .libraryFailed, operation: "cannot load library", subject: library,
            cause: "it needs the library \(needed), which cannot be found",
            notes: (places + ["the system's folders"]).map { .init("looked in", $0) },
            fix:
                "install \(needed), or link the module with -Xlinker -rpath -Xlinker DIR, where DIR holds it")
    }

    private static func undefined(_ symbols: Set<String>, of library: String) -> ViperError {
        let names = symbols.map(demangled).sorted()
        return ViperError(
            .libraryFailed, operation: "cannot load library", subject: library,
            cause: "it needs \(names.count == 1 ? "a symbol" : "\(names.count) symbols") that no library defines",
            notes: ModuleSymbols.notes(names, "undefined"),
            fix:
                "add the source that defines \(names.count == 1 ? "it" : "them"), or link the library that does")
    }
}

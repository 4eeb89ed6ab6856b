import HostSystem
import ViperKit

/// What a process has loaded before a library that is checked.
package enum LoadedLibraries: Sendable {
    /// Only what the host itself needs, as in a process that starts.
    case none
    /// What this process has loaded now.
    case ofProcess
}

/// A check that modules get the libraries that they were built with.
///
/// The dynamic linker knows a library by its name: the first file that a process loads under a name serves everything that
/// needs the name. A module with another file would call the first one, or would find a function missing.
final class SharedLibraries {
    private let links: LinkCheck
    private let loaded: LoadedLibraries
    /// The libraries that the modules of a starting process bring, by name.
    private var brought: [String: (path: String, module: String)] = [:]
    private lazy var inodes = LoadedLibrary.inodes()

    init(_ links: LinkCheck, after loaded: LoadedLibraries) { (self.links, self.loaded) = (links, loaded) }

    /// Checks the libraries that a module's library needs, and those that these need.
    ///
    /// - Parameters:
    ///   - isAlone: True if the module has a process of its own.
    ///   - others: The names of the libraries of contracts, which the host loads itself.
    /// - Throws: ``ViperError/Code/libraryConflict`` if a file is another one than that which the process uses instead.
    func check(
        _ needs: ElfFile.Needs, of manifest: Manifest, isAlone: Bool, except others: Set<String>
    ) throws(ViperError) {
        // Each entry is a name, the search paths of what needs it, and the library that needs it.
        let paths = LinkCheck.folders(needs.searchPaths, origin: nil)
        var waiting = needs.libraries.map { (name: $0, paths: paths, user: manifest.library) }
        var (seen, found) = (others, [String: String]())
        while let (name, paths, user) = waiting.popLast() {
            guard seen.insert(name).inserted, !name.utf8.contains(UInt8(ascii: "/")), !links.isOfHost(name),
                let path = links.located(name, paths)
            else { continue }
            if !isAlone, let other = other(than: path, named: name) {
                throw conflict(name, path, user, other, of: manifest)
            }
            found[name] = path
            guard let needs = links.file(path).flatMap({ try? $0.linkage().needs }) else { continue }
            let further = LinkCheck.folders(needs.searchPaths, origin: parentFolder(of: path)) + paths
            waiting += needs.libraries.map { ($0, further, name) }
        }
        if isAlone { return }
        for (name, path) in found where brought[name] == nil { brought[name] = (path, manifest.name) }
    }

    /// Returns what the process uses instead of a file. Nil if it uses the file, or has loaded nothing with this name.
    private func other(than path: String, named name: String) -> ViperError.Note? {
        switch loaded {
        case .none:
            guard let first = brought[name], first.path != path, let file = links.file(path),
                let other = links.file(first.path), file.bytes != other.bytes
            else { return nil }
            return .init("used instead", "\(first.path), which module \(first.module) needs, too")
        case .ofProcess:
            guard let library = DynamicLinker.loaded(name), !library.isSame(as: path, inodes) else { return nil }
            return .init("used instead", "\(library.path), as it was when this process loaded it")
        }
    }

    private func conflict(
        _ name: String, _ path: String, _ user: String, _ other: ViperError.Note, of manifest: Manifest
    ) -> ViperError {
        let user = user == manifest.library ? "it" : user
        return ViperError(
            .libraryConflict, operation: "cannot load library", subject: manifest.library,
            cause: "\(user) needs \(name), and another file has this name in the process",
            notes: [.init("needed", path), other],
            fix: "restart the host if only the new file is needed, write \"isolation\": \"process\" in the manifest of "
                + "\(manifest.name), or build both modules with one \(name)")
    }
}

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
///
/// The libraries that the host itself needs are not compared. No module can bring its own, and an update of the system
/// changes their files under a host that runs.
final class SharedLibraries {
    /// A library that a module needs, and the files of which the dynamic linker would load one.
    struct Need {
        var name: String
        var files: [String]
        var user: String
    }

    private let links: LinkCheck
    private let loaded: LoadedLibraries
    /// The libraries that the modules of a starting process bring, by name.
    private var brought: [String: (files: [String], module: String)] = [:]
    private lazy var inodes = LoadedLibrary.inodes()

    init(_ links: LinkCheck, after loaded: LoadedLibraries) { (self.links, self.loaded) = (links, loaded) }

    /// Checks the libraries that a module's library needs, and those that these need.
    ///
    /// - Parameters:
    ///   - isAlone: True if the module has a process of its own.
    ///   - others: The names of the libraries of contracts, which the host loads itself.
    /// - Returns: The needs, for ``note(_:of:)``.
    /// - Throws: ``ViperError/Code/libraryConflict`` if a file is another one than that which the process uses instead.
    func check(
        _ needs: ElfFile.Needs, of manifest: Manifest, isAlone: Bool, except others: Set<String>
    ) throws(ViperError) -> [Need] {
        // A module in a process of its own meets no other one, and its worker compares what it has loaded.
        if isAlone { return [] }
        var waiting = [NeedingLibrary(name: manifest.library, needs: needs, origin: nil)]
        var (seen, found, next) = (others, [Need](), 0)
        // The dynamic linker loads the libraries in this order, too.
        while next < waiting.count {
            let source = waiting[next]
            next += 1
            for name in source.needs.libraries where seen.insert(name).inserted && !isOfHost(name) {
                let files = links.candidates(name, source.folders)
                guard let first = files.first else { continue }
                let need = Need(name: name, files: files, user: source.name)
                if let other = other(than: need) { throw conflict(need, other, of: manifest) }
                found.append(need)
                if let file = try? RegularFile(path: first), let needs = try? ElfFile.needs(of: file) {
                    waiting.append(
                        NeedingLibrary(
                            name: name, needs: needs, origin: parentFolder(of: first), inherited: source.passedOn))
                }
            }
        }
        return found
    }

    /// Notes what a module brings that has passed all checks.
    func note(_ needs: [Need], of module: String) {
        for need in needs where brought[need.name] == nil { brought[need.name] = (need.files, module) }
    }

    private func isOfHost(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: "/")) || DynamicLinker.librariesOfProgram.contains(name)
            || links.isOfHost(name)
    }

    /// Returns what the process uses instead of the files of a need. Nil if it uses one of them, or has loaded nothing with
    /// this name.
    private func other(than need: Need) -> ViperError.Note? {
        switch loaded {
        case .none:
            guard let first = brought[need.name], !need.files.contains(where: first.files.contains),
                let file = need.files.first.flatMap(links.file), let other = first.files.first.flatMap(links.file),
                file.bytes != other.bytes
            else { return nil }
            return .init("used instead", "\(first.files[0]), which module \(first.module) needs, too")
        case .ofProcess:
            guard let library = DynamicLinker.loaded(need.name),
                !need.files.contains(where: { library.isSame(as: $0, inodes) })
            else { return nil }
            return .init("used instead", "\(library.path), as it was when this process loaded it")
        }
    }

    private func conflict(_ need: Need, _ other: ViperError.Note, of manifest: Manifest) -> ViperError {
        let user = need.user == manifest.library ? "it" : need.user
        return ViperError(
            .libraryConflict, operation: "cannot load library", subject: manifest.library,
            cause: "\(user) needs \(need.name), and another file has this name in the process",
            notes: [.init("needed", need.files[0]), other],
            fix: "restart the host if only the new file is needed, write \"isolation\": \"process\" in the manifest of "
                + "\(manifest.name), or build both modules with one \(need.name)")
    }
}

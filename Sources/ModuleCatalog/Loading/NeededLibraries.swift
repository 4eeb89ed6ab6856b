import Glibc
import HostSystem
import ViperKit

/// A check of the libraries that the dynamic linker would load together with a module's library.
///
/// The dynamic linker finds a needed library by an absolute path or in the search paths of the library that needs it.
/// An untrusted user must not be able to change these files and folders. The check ignores libraries that this process
/// has already loaded. It also ignores libraries that the dynamic linker finds in `LD_LIBRARY_PATH`, which the user has
/// chosen, and in the system's folders.
struct NeededLibraries {
    private let trust: Trust
    /// The folder of the Swift runtime that this process uses. Users who can change it can change the host's code
    /// anyway.
    private let runtimeFolder: String?

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - trust: The rules for the root. The owner of the host's executable is trusted as well.
    ///   - runtimeFolder: The folder of the Swift runtime.
    init(trust: Trust, runtimeFolder: String? = DynamicLinker.runtimeFolder) {
        self.trust = trust.trusting(ownerOf: "/proc/self/exe")
        // In a folder such as `/tmp`, users can add libraries, but cannot change the runtime.
        var status = stat()
        self.runtimeFolder = runtimeFolder.flatMap {
            stat($0, &status) == 0 && status.st_mode & S_IWOTH == 0 ? $0 : nil
        }
    }

    /// Checks the libraries that a module's library needs, and the libraries that these need.
    ///
    /// - Parameter origin: The folder from which the library will be loaded. If it is nil, search paths that contain
    ///   `$ORIGIN` are not checked.
    /// - Throws: ``ViperError/Code/pathUntrusted`` if an untrusted user could replace one of these libraries.
    func check(_ needs: ElfFile.Needs, of library: String, origin: String?) throws(ViperError) {
        var sources = [NeedingLibrary(name: library, needs: needs, origin: origin)]
        var seen: Set<String> = []
        var (next, needing) = (0, library)
        do throws(RegularFile.Failure) {
            // The dynamic linker loads the libraries in this order, too.
            while next < sources.count {
                let source = sources[next]
                (next, needing) = (next + 1, source.name)
                try checkSearchPaths(of: source)
                for needed in source.needs.libraries
                where seen.insert(needed).inserted && !DynamicLinker.hasLoaded(needed) {
                    sources += try find(needed, for: source)
                }
            }
        } catch {
            guard var refusal = error.refusal("cannot load library", library) else { return }
            if needing != library { refusal.notes.append(.init("needed by", needing)) }
            throw refusal
        }
    }

    /// Refuses search paths that depend on the working folder, and those that only the dynamic linker can expand.
    private func checkSearchPaths(of source: NeedingLibrary) throws(RegularFile.Failure) {
        for path in source.needs.searchPaths {
            if Self.isAbsolute(path) { continue }
            try trust.enforce(
                .untrusted(
                    path.isEmpty
                        ? "a search path of \(source.name) is empty, which means the working folder"
                        : "\(source.name) has the search path \"\(path)\", expected an absolute path",
                    fix: "link it with -Xlinker -rpath -Xlinker DIR, where DIR is absolute"))
        }
    }

    /// Returns true if a search path is absolute and has no variable except `$ORIGIN` at its start.
    private static func isAbsolute(_ path: String) -> Bool {
        // This check runs for each loaded module, so it compares bytes instead of characters.
        var rest = path.utf8[...]
        for origin in ["$ORIGIN", "${ORIGIN}"] where path.utf8.starts(with: origin.utf8) {
            rest = path.utf8.dropFirst(origin.utf8.count)
            if rest.isEmpty { return true }
        }
        return rest.first == UInt8(ascii: "/") && !rest.contains(UInt8(ascii: "$"))
    }

    /// Checks the files that the dynamic linker could load for a needed library.
    ///
    /// - Returns: The library and its variants for other processors. Empty if they need no further checks.
    private func find(_ needed: String, for source: NeedingLibrary) throws(RegularFile.Failure) -> [NeedingLibrary] {
        if needed.utf8.contains(UInt8(ascii: "/")) {
            guard let path = LinkCheck.folders([needed], origin: source.origin).first else { return [] }
            guard Self.isAbsolute(path) else {
                try trust.enforce(
                    .untrusted(
                        "\(source.name) needs \"\(needed)\", expected a name or an absolute path",
                        fix: "link it with a library that has a name without a slash"))
                return []
            }
            let found = try find(pathNames(path).last ?? "", in: parentFolder(of: path), as: .ancestor, for: source)
            return found.map { [$0] } ?? []
        }
        let chosen = LinkCheck.folders(of: "LD_LIBRARY_PATH")
        let isChosen = chosen.contains { LinkCheck.isLoadable("\($0)/\(needed)") }
        // The dynamic linker searches DT_RUNPATH after LD_LIBRARY_PATH, but DT_RPATH before it.
        if isChosen, !source.needs.passesSearchPathsOn { return [] }
        var found: [NeedingLibrary] = []
        for folder in source.folders {
            if folder == runtimeFolder {
                if LinkCheck.isLoadable("\(folder)/\(needed)") { return found }
                continue
            }
            // A variant may be for another processor, so it does not end the search.
            for variants in LibraryVariants.folders(in: folder) {
                if let variant = try find(needed, in: variants, as: .object, for: source) { found.append(variant) }
            }
            if let library = try find(needed, in: folder, as: .object, for: source) { return found + [library] }
        }
        return found
    }

    /// Checks a needed library in one folder.
    ///
    /// - Parameter role: The role of the folder. In a search path, other users must not be able to add a library.
    /// - Returns: The library, or nil if the folder does not contain it.
    private func find(
        _ needed: String, in folder: String, as role: Trust.Role, for source: NeedingLibrary
    ) throws(RegularFile.Failure) -> NeedingLibrary? {
        guard LinkCheck.isLoadable("\(folder)/\(needed)") || role == .object && isFolder(folder) else { return nil }
        let file: RegularFile
        do throws(RegularFile.Failure) {
            file = try OpenFolder(folder, trust, as: role).file(needed)
        } catch {
            // The dynamic linker skips files and folders that it cannot read.
            if error.isUntrusted { throw error }
            return nil
        }
        guard let needs = try? ElfFile.needs(of: file) else { return nil }
        return NeedingLibrary(name: "\(folder)/\(needed)", needs: needs, origin: folder, inherited: source.passedOn)
    }
}

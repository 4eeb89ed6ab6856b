import FoundationEssentials
package import HostSystem
package import ViperKit

/// A type that finds the libraries for modules. It searches the root's `Plugins/` folder first, then the folder of the
/// host's executable.
package struct LibraryFinder: Sendable {
    package let root: Root
    let logger: LineLogger
    let warnings: DistinctWarnings
    let referenced = ReferencedLibraries()
    let lock: CurrentLock
    /// True in a worker. The host has made private copies of the worker's libraries, and no other process writes to
    /// these copies.
    var readsPrivateCopies = false

    package init(root: Root, logger: LineLogger, readsPrivateCopies: Bool = false) {
        (self.root, self.logger, self.readsPrivateCopies) = (root, logger, readsPrivateCopies)
        warnings = DistinctWarnings(logger)
        lock = CurrentLock(of: root)
    }

    /// Returns the content of a library.
    ///
    /// The host reads the code only here. This ensures that it loads the same bytes that it has checked.
    ///
    /// - Throws: ``ViperError/Code/libraryMissing`` if the library does not exist,
    ///   ``ViperError/Code/libraryUnfinished`` if another process is still writing it, or another error if it cannot be
    ///   read.
    func read(_ library: String) throws(ViperError) -> LibraryContent {
        try read(library, in: try LibraryFolders(of: root))
    }

    /// Returns the entry of a module in a new lock.
    ///
    /// - Throws: The same errors as ``read(_:)``.
    package func lockEntry(of manifest: Manifest) throws(ViperError) -> ModuleLock.Entry {
        ModuleLock.Entry(
            version: manifest.version, library: manifest.library, sha256: Digest(of: try read(manifest.library).code))
    }

    func read(_ library: String, in folders: LibraryFolders) throws(ViperError) -> LibraryContent {
        let dropped = try folders.plugins.flatMap { folder throws(ViperError) in try read(library, in: folder) }
        guard let dropped else {
            if let folder = try folders.executable.get(), let bundled = try read(library, in: folder) { return bundled }
            throw missing(library)
        }
        if differs(dropped, fromBundled: library, in: folders) {
            let message = "\(library) in \(root.plugins) differs from the one in \(root.executableFolder)"
            warnings.add("\(message); the first is used")
        }
        return dropped
    }

    /// Returns true if the executable's folder has a different library with the same name. Ignores a library that
    /// cannot be read or that another process is still writing.
    private func differs(
        _ content: LibraryContent, fromBundled library: String, in folders: LibraryFolders
    ) -> Bool {
        guard let file = try? folders.executable.get()?.file(library) else { return false }
        if file.size != content.size { return true }
        let bundled = try? file.whileFinished { file throws(RegularFile.Failure) in
            try LibraryContent.read(file, named: library)
        }
        return (try? bundled?.get().code).map { $0 != content.code } ?? false
    }

    private func missing(_ library: String) -> ViperError {
        let looked = [root.plugins, root.executableFolder]
        for folder in looked { if let error = danglingLink(library, in: folder) { return error } }
        let there = looked.flatMap { (try? fileNames(in: $0, ending: ".so")) ?? [] }
        // A library that another module uses is not the missing one.
        let near = nearestNames(to: library, in: Set(there).subtracting(referenced.names)).first
        let name = near.map { "write \"library\": \"\($0)\" in the manifest, " } ?? ""
        return ViperError(
            .libraryMissing, operation: "cannot load library", subject: library, cause: "it does not exist",
            notes: looked.map { .init("looked in", $0) } + (near.map { [.init("did you mean", $0)] } ?? []),
            fix:
                "\(name)\(near == nil ? "" : "or ")copy it to Plugins, or build it with swift build or host build")
    }

    /// Returns an error if a symbolic link with the library's name points to a missing file. Returns nil if there is no such
    /// link.
    private func danglingLink(_ library: String, in folder: String) -> ViperError? {
        guard let target = linkTarget("\(folder)/\(library)") else { return nil }
        return ViperError(
            .libraryMissing, operation: "cannot load library", subject: library,
            cause: "it is a symbolic link to \(target), which does not exist", notes: [.init("folder", folder)],
            fix: "point the link to a library, or replace it with a copy of the library")
    }

    private func read(_ library: String, in folder: OpenFolder) throws(ViperError) -> LibraryContent? {
        let content: Result<LibraryContent, ElfFile.Problem>
        do throws(RegularFile.Failure) {
            let file = try folder.file(library)
            content =
                try readsPrivateCopies
                ? LibraryContent.read(file, named: library)
                : file.whileFinished { file throws(RegularFile.Failure) in try LibraryContent.read(file, named: library)
                }
        } catch {
            if error.isMissing { return nil }
            if error.isUnfinished { throw .unfinished(library, "\(folder.path)/\(library)", error) }
            if let refusal = error.refusal("cannot load library", library) { throw refusal }
            throw ViperError(
                isShortage(error.errno) ? .resourceMissing : .libraryInvalid, operation: "cannot load library",
                subject: library,
                cause: error.cause, notes: [.init("folder", folder.path)])
        }
        do { return try content.get() } catch {
            throw ViperError(
                .libraryInvalid, operation: "cannot load library", subject: library, cause: error.cause,
                notes: [.init("folder", folder.path)],
                fix: "copy the complete library again, or pack its resources again with host pack")
        }
    }
}

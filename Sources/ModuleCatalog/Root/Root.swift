import FoundationEssentials
import Glibc
package import HostSystem
package import ViperKit

/// A host's root folder. It contains `Manifests/` and usually `Plugins/`.
package struct Root: Sendable, Equatable {
    /// The absolute path of the root. If the user gave the path of a symbolic link, the link is not resolved. A host
    /// that watches its root therefore detects when the link changes.
    package let path: String
    /// The folder of the host's executable, which contains the bundled libraries.
    package let executableFolder: String
    /// The rules on who may change the root's files.
    package let trust: Trust
    /// The paths of the `Manifests` folders that the search skipped because they are symbolic links or belong to
    /// another user.
    package private(set) var passed: [String] = []

    /// The folder that contains the manifests.
    package var manifests: String { path + "/Manifests" }
    /// The folder that contains the libraries that were added to the root, and their resources.
    package var plugins: String { path + "/Plugins" }

    /// Creates a root from a path. The owner of the path becomes a trusted user, unless the path is below a folder such
    /// as `/tmp`, in which any user could have created it.
    package init(path: String, executableFolder: String) {
        self.init(path: path, executableFolder: executableFolder, trust: Trust().trusting(ownerOfRoot: path))
    }

    init(path: String, executableFolder: String, trust: Trust) {
        (self.path, self.executableFolder, self.trust) = (path, executableFolder, trust)
    }

    /// Returns a root with another path and the same trusted users.
    package func with(path: String) -> Root { Root(path: path, executableFolder: executableFolder, trust: trust) }

    /// The same root with all symbolic links in its path resolved. If a link changes later, this root still refers to
    /// the old target.
    package var real: Root { with(path: resolved(path) ?? path) }

    package static func == (first: Root, second: Root) -> Bool {
        first.path == second.path && first.executableFolder == second.executableFolder
    }

    /// Opens the root's folder.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted``, ``ViperError/Code/folderUnreadable``, or
    ///   ``ViperError/Code/resourceMissing``.
    func open() throws(ViperError) -> OpenFolder {
        do { return try OpenFolder(path, trust) } catch { throw Self.failure("cannot use root", path, error) }
    }

    /// Opens folders in the root, and returns them. The result contains nil for each missing folder.
    ///
    /// - Throws: The same errors as ``open()``.
    func open(_ folders: String...) throws(ViperError) -> [OpenFolder?] {
        guard let root = try Self.open(path, trust, "cannot use root") else { return folders.map { _ in nil } }
        return try folders.map { folder throws(ViperError) -> OpenFolder? in
            do throws(RegularFile.Failure) { return try root.folder(folder) } catch {
                throw Self.failure("cannot list folder", "\(path)/\(folder)", error)
            }
        }
    }

    /// Opens the folder of the host's executable. Returns nil if the folder is missing. The owner of the executable is
    /// trusted here, because that user could change the host's code anyway.
    ///
    /// - Throws: The same errors as ``open()``.
    func openExecutableFolder() throws(ViperError) -> OpenFolder? {
        try Self.open(executableFolder, trust.trusting(ownerOf: "/proc/self/exe"), "cannot use folder")
    }

    private static func open(_ path: String, _ trust: Trust, _ what: String) throws(ViperError) -> OpenFolder? {
        do { return try OpenFolder(path, trust) } catch {
            if error.isMissing { return nil }
            throw failure(what, path, error)
        }
    }

    private static func failure(_ what: String, _ subject: String, _ failure: RegularFile.Failure) -> ViperError {
        failure.refusal(what, subject)
            ?? ViperError(
                isShortage(failure.errno) ? .resourceMissing : .folderUnreadable, operation: what, subject: subject,
                cause: failure.cause,
                fix: isShortage(failure.errno) ? nil : "make it readable")
    }

    /// The folder of this process's executable.
    package static var folderOfExecutable: String { parentFolder(of: resolved("/proc/self/exe") ?? "/") }

    /// Finds the root.
    ///
    /// The root is the given folder or, if it is nil, `$VIPER_ROOT`. If both are unset, the search for `Manifests/`
    /// starts in the working folder and continues in the folders above it. If it finds nothing, it continues with the
    /// executable's folder and the folders above it. The search ignores a `Manifests` that is a symbolic link, or that
    /// belongs to neither this user nor the system's root user.
    ///
    /// - Parameters:
    ///   - given: The folder that the user named, or nil.
    ///   - option: The option or parameter that named the folder, for errors.
    ///   - environment: The environment variables.
    ///   - enforcement: The response to files that violate the trust rules.
    ///   - owners: Additional users to trust.
    /// - Throws: ``ViperError/Code/rootMissing``, ``ViperError/Code/pathUntrusted``, or another error that ``open()``
    ///   throws.
    package static func find(
        given: String?, by option: String = "--root", environment: [String: String],
        _ enforcement: Trust.Enforcement = .refuse,
        owners: Set<UInt32> = []
    ) throws(ViperError) -> Root {
        let executableFolder = folderOfExecutable
        let variable = environment["VIPER_ROOT"].flatMap { $0.isEmpty ? nil : $0 }
        let named = given.map { (option, $0) } ?? variable.map { ("$VIPER_ROOT", $0) }
        if let (origin, path) = named {
            guard let root = absolute(path), isFolder(root + "/Manifests") else {
                if access("\(path)/Manifests", F_OK) != 0, errno == EACCES {
                    throw ViperError(
                        .folderUnreadable, operation: "cannot use root", subject: path, cause: systemReason(EACCES),
                        notes: [.init("given by", origin)],
                        fix: "let this user enter the folder and those above it")
                }
                throw ViperError(
                    .rootMissing, operation: "cannot use root", subject: path, cause: "it has no folder Manifests",
                    notes: [.init("given by", origin)],
                    fix: "give the folder that contains Manifests and Plugins")
            }
            let named = try HostSystem.absolute(path)
            let trust = Trust(enforcement).trusting(owners).trusting(ownerOfRoot: named)
            // Also checks the path that the user gave. In an untrusted folder, another user could place a link that
            // changes where ".." leads.
            if named != root {
                do { close(try trust.open(named, flags: O_RDONLY | O_DIRECTORY)) } catch {
                    throw failure("cannot use root", named, error)
                }
            }
            return try Root(path: root, executableFolder: executableFolder, trust: trust).checked()
        }
        let workingFolder = resolved(".") ?? "/"
        var passed: [String] = []
        guard
            let root = nearest(upwardsFrom: workingFolder, &passed) ?? nearest(upwardsFrom: executableFolder, &passed)
        else {
            throw ViperError(
                .rootMissing, operation: "cannot find a root from", subject: workingFolder,
                cause: "neither it, nor the executable's folder, nor a folder above them contains Manifests",
                notes: passed.map { .init("skipped", "\($0): it is a link or belongs to another user") },
                fix: "give --root DIR, or set VIPER_ROOT")
        }
        var found = Root(path: root, executableFolder: executableFolder, trust: Trust(enforcement).ofSearch)
        found.passed = passed
        return try found.checked()
    }

    private func checked() throws(ViperError) -> Root {
        _ = try open()
        return self
    }

    /// Returns the absolute form of a path. Resolves symbolic links only before a "..". Returns nil if the path is
    /// empty or contains a ".." that cannot be resolved.
    private static func absolute(_ path: String) -> String? {
        var parts = pathNames(path).filter { $0 != "." }[...]
        if path.isEmpty { return nil }
        var folder = isAbsolute(path) ? "" : resolved(".") ?? ""
        if let last = parts.lastIndex(of: "..") {
            // The meaning of ".." depends on the links before it, but not on the links after it.
            guard let start = resolved("\(folder)/\(parts[...last].joined(separator: "/"))") else { return nil }
            (folder, parts) = (start == "/" ? "" : start, parts[(last + 1)...])
        }
        let name = parts.joined(separator: "/")
        return name.isEmpty ? (folder.isEmpty ? "/" : folder) : "\(folder == "/" ? "" : folder)/\(name)"
    }

    /// Returns the nearest folder with a trusted `Manifests` folder.
    ///
    /// - Parameters:
    ///   - folder: The folder in which the search starts.
    ///   - passed: Receives the paths of the skipped `Manifests` folders, which another user may have placed as a trap.
    /// - Returns: The nearest folder, at or above `folder`, that contains a trusted `Manifests` folder. Nil if no
    ///   folder does.
    private static func nearest(upwardsFrom folder: String, _ passed: inout [String]) -> String? {
        var folder = folder
        while true {
            let manifests = folder == "/" ? "/Manifests" : "\(folder)/Manifests"
            var status = stat()
            if lstat(manifests, &status) == 0 {
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                if isFolder, Trust().owners.contains(status.st_uid) { return folder }
                if isFolder || status.st_mode & S_IFMT == S_IFLNK, !passed.contains(manifests) {
                    passed.append(manifests)
                }
            }
            if folder == "/" { return nil }
            folder = parentFolder(of: folder)
        }
    }
}

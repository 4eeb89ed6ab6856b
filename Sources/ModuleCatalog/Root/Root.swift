import FoundationEssentials
import Glibc
package import HostSystem
package import ViperKit

/// The folder that a host works in: it has `Manifests/` and, usually, `Plugins/`.
public struct Root: Sendable, Equatable {
    /// The absolute path by which the root was named. If that is a symbolic link, whatever it leads to is the root: a host that lives
    /// with its root notices when it is switched.
    public let path: String
    /// The folder of the host's executable, where bundled libraries stand.
    public let executableFolder: String
    /// The rule on who may change the files of the root.
    package let trust: Trust
    /// Folders `Manifests` that the search for the root has passed over, as a link or of another user.
    package private(set) var passed: [String] = []

    /// Where manifests are.
    public var manifests: String { path + "/Manifests" }
    /// Where libraries are dropped in, with their resources.
    public var plugins: String { path + "/Plugins" }

    /// A root that is named by its path. Its owner is trusted.
    public init(path: String, executableFolder: String) {
        self.init(path: path, executableFolder: executableFolder, trust: Trust().trusting(ownerOf: path))
    }

    init(path: String, executableFolder: String, trust: Trust) {
        (self.path, self.executableFolder, self.trust) = (path, executableFolder, trust)
    }

    /// Another root where the same users are trusted.
    package func with(path: String) -> Root { Root(path: path, executableFolder: executableFolder, trust: trust) }

    /// The root under its path without symbolic links. It does not follow a link that is switched.
    package var real: Root { with(path: resolved(path) ?? path) }

    public static func == (first: Root, second: Root) -> Bool {
        first.path == second.path && first.executableFolder == second.executableFolder
    }

    /// Opens the root's folder.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted``, ``ViperError/Code/folderUnreadable``, or ``ViperError/Code/resourceMissing``.
    func open() throws(ViperError) -> OpenFolder {
        do { return try OpenFolder(path, trust) } catch { throw Self.failure("cannot use root", path, error) }
    }

    /// Opens folders of the root. Nil for each that is missing.
    ///
    /// - Throws: As ``open()``.
    func open(_ folders: String...) throws(ViperError) -> [OpenFolder?] {
        guard let root = try Self.open(path, trust, "cannot use root") else { return folders.map { _ in nil } }
        return try folders.map { folder throws(ViperError) -> OpenFolder? in
            do throws(RegularFile.Failure) { return try root.folder(folder) } catch {
                throw Self.failure("cannot list", "\(path)/\(folder)", error)
            }
        }
    }

    /// Opens the folder of the executable, whose owner could put any code into it. Nil if it is missing.
    ///
    /// - Throws: As ``open()``.
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
                isShortage(failure.errno) ? .resourceMissing : .folderUnreadable, what, subject, cause: failure.cause,
                mend: isShortage(failure.errno) ? nil : "allow reading it")
    }

    /// The folder of the file that this process runs.
    package static var folderOfExecutable: String { parentFolder(of: resolved("/proc/self/exe") ?? "/") }

    /// Finds the root: the given folder, else `$VIPER_ROOT`, else the nearest folder upwards from the working folder that has
    /// `Manifests/`, else the nearest upwards from the executable. One that was not named counts only if `Manifests` is a folder, not a
    /// link, of the user or of root.
    ///
    /// - Parameters:
    ///   - enforcement: What happens with what others may have changed.
    ///   - owners: Users who are trusted besides.
    /// - Throws: ``ViperError/Code/rootMissing``, or ``ViperError/Code/pathUntrusted``.
    package static func find(
        given: String?, environment: [String: String], _ enforcement: Trust.Enforcement = .refuse,
        owners: Set<UInt32> = []
    ) throws(ViperError) -> Root {
        let executableFolder = folderOfExecutable
        let variable = environment["VIPER_ROOT"].flatMap { $0.isEmpty ? nil : $0 }
        let named = given.map { ("--root", $0) } ?? variable.map { ("$VIPER_ROOT", $0) }
        if let (origin, path) = named {
            guard let root = absolute(path), isFolder(root + "/Manifests") else {
                throw ViperError(
                    .rootMissing, "cannot use root", path, cause: "it has no folder Manifests",
                    notes: [.init("given by", origin)], mend: "name the folder that holds Manifests and Plugins")
            }
            let trust = Trust(enforcement).trusting(owners).trusting(ownerOf: root)
            let named = try HostSystem.absolute(path)
            // As it was named, too: in a folder of a stranger, ".." leads wherever a link there does.
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
                .rootMissing, "cannot find a root from", workingFolder,
                cause: "no folder upwards of it or of the executable has Manifests",
                notes: passed.map { .init("passed over, as a link or of another user", $0) },
                mend: "give --root DIR, or set VIPER_ROOT")
        }
        var found = Root(path: root, executableFolder: executableFolder, trust: Trust(enforcement).ofSearch)
        found.passed = passed
        return try found.checked()
    }

    private func checked() throws(ViperError) -> Root {
        _ = try open()
        return self
    }

    /// The absolute path of what has this name. Symbolic links stay in it, unless ".." leads out of one.
    private static func absolute(_ path: String) -> String? {
        var parts = path.split(separator: "/").filter { $0 != "." }[...]
        if path.isEmpty { return nil }
        var folder = path.hasPrefix("/") ? "" : resolved(".") ?? ""
        if let last = parts.lastIndex(of: "..") {
            // Where ".." leads depends on the links before it, but on none behind it.
            guard let start = resolved("\(folder)/\(parts[...last].joined(separator: "/"))") else { return nil }
            (folder, parts) = (start == "/" ? "" : start, parts[(last + 1)...])
        }
        let name = parts.joined(separator: "/")
        return name.isEmpty ? (folder.isEmpty ? "/" : folder) : "\(folder == "/" ? "" : folder)/\(name)"
    }

    /// - Parameter passed: Gains the folders that may be a stranger's trap.
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

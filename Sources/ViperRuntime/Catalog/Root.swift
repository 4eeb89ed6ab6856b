import FoundationEssentials
import Glibc
public import ViperKit

/// The folder that a host works in: it has `Manifests/` and, usually, `Plugins/`.
public struct Root: Sendable, Equatable {
    /// An absolute path without symbolic links.
    public let path: String
    /// The folder of the host's executable, where bundled libraries stand.
    public let executableFolder: String

    /// Where manifests are.
    public var manifests: String { path + "/Manifests" }
    /// Where libraries are dropped in, with their resources.
    public var plugins: String { path + "/Plugins" }

    /// A root at a path that is known to be right.
    public init(path: String, executableFolder: String) {
        (self.path, self.executableFolder) = (path, executableFolder)
    }

    /// The folder of the file that this process runs.
    package static var folderOfExecutable: String { parent(of: resolved("/proc/self/exe") ?? "/") }

    /// Finds the root: the given folder, else `$VIPER_ROOT`, else the nearest folder upwards from the working folder that has
    /// `Manifests/`, else the nearest upwards from the executable. One that was not named counts only when it belongs to the
    /// user or to root.
    ///
    /// - Throws: ``ViperError/Code/rootMissing``.
    public static func find(given: String?, environment: [String: String]) throws(ViperError) -> Root {
        let executableFolder = folderOfExecutable
        let variable = environment["VIPER_ROOT"].flatMap { $0.isEmpty ? nil : $0 }
        let named = given.map { ("--root", $0) } ?? variable.map { ("$VIPER_ROOT", $0) }
        if let (origin, path) = named {
            guard let root = resolved(path), isFolder(root + "/Manifests") else {
                throw ViperError(
                    .rootMissing, "cannot use root", path, cause: "it has no folder Manifests",
                    notes: [.init("given by", origin)], mend: "name the folder that holds Manifests and Plugins")
            }
            return Root(path: root, executableFolder: executableFolder)
        }
        let workingFolder = resolved(".") ?? "/"
        guard let root = nearest(upwardsFrom: workingFolder) ?? nearest(upwardsFrom: executableFolder) else {
            throw ViperError(
                .rootMissing, "cannot find a root from", workingFolder,
                cause: "no folder upwards of it or of the executable has Manifests",
                mend: "give --root DIR, or set VIPER_ROOT")
        }
        return Root(path: root, executableFolder: executableFolder)
    }

    private static func nearest(upwardsFrom folder: String) -> String? {
        var folder = folder
        while !isFolder(folder + "/Manifests") || !isTrusted(folder + "/Manifests") {
            if folder == "/" { return nil }
            folder = parent(of: folder)
        }
        return folder
    }

    /// Whether nobody else put it there: code is run from beside it, and a shared folder upwards may hold a stranger's.
    private static func isTrusted(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && (status.st_uid == getuid() || status.st_uid == 0)
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
    }
}

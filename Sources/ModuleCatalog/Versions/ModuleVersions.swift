import FoundationEssentials
import Glibc
package import HostSystem
package import ViperKit

/// The libraries in a root's `Plugins` folder, and the earlier versions that ``limit`` keeps of each.
///
/// An earlier version is a file in `Plugins/.versions`, whose name has a number before that of the library, such as
/// `7-libHello.so`. The highest number is the version that was in use last. The host loads nothing from this folder.
///
/// Each change takes effect with one rename. If the process is killed before, the folder may have the version in use as
/// well, which the next change does not keep again.
package struct ModuleVersions: Sendable {
    /// An earlier version of a module.
    package struct Version: Sendable {
        package let path: String
        package let manifest: Manifest
        let number: Int
        /// True if a host has used an earlier version again because this one had ended it too often.
        package let hasEndedHosts: Bool
        /// True if the file is also the one in use.
        fileprivate let isCurrent: Bool
    }

    /// The number of earlier versions to keep of each library.
    package static let limit = 3

    /// The suffix of a file beside a version that has ended its hosts.
    private static let mark = ".ended-hosts"

    let root: Root
    private let store: StoreFolder

    package init(in root: Root) {
        self.root = root
        store = StoreFolder(path: "\(root.plugins)/.versions", trust: root.trust)
    }

    package func path(of library: String) -> String { "\(root.plugins)/\(library)" }

    /// True if another user installs modules, and this one cannot read the earlier versions. The service that `host export`
    /// describes has such a user.
    package var areHidden: Bool { access(store.path, R_OK) != 0 && errno == EACCES }

    /// Returns the earlier versions of a module, the latest first. Ignores files that contain no valid manifest.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` if the folder cannot be listed.
    package func all(of module: String) throws(ViperError) -> [Version] {
        try all().filter { $0.manifest.name == module }
    }

    /// Returns the earlier versions of all modules, the latest first. Ignores files that contain no valid manifest.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` if the folder cannot be listed.
    package func all() throws(ViperError) -> [Version] {
        try files().compactMap { number, library in
            let path = store.path("\(number)-\(library)")
            guard let manifest = try? Manifest(packedIn: path) else { return nil }
            return Version(
                path: path, manifest: manifest, number: number,
                hasEndedHosts: access(path + Self.mark, F_OK) == 0,
                isCurrent: Self.isSameFile(path, self.path(of: manifest.library)))
        }.filter { !$0.isCurrent }
    }

    /// Runs a closure while no other process installs, builds, rolls back or removes a module. What a change depends on is
    /// decided in this closure, because another command may have changed it before.
    ///
    /// - Parameter access: `.reading` to create no folder. Several readers run at the same time.
    package func locked<Value: Sendable>(
        for access: StoreFolder.Access = .writing, _ body: @escaping @Sendable () throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        if access == .reading { return try await store.locked(for: .reading, body) }
        return try await store.locked(for: .writing) { [self] () throws(ViperError) in
            try UninterruptedWork.run { () throws(ViperError) in
                removeLeftovers()
                return try body()
            }
        }
    }

    /// Removes what killed commands have left in the root. No other process writes these files, because this one holds the
    /// lock. A command that waits for an answer or tries a library holds a lock on its own folder.
    private func removeLeftovers() {
        for (folder, prefix) in [(root.manifests, ModuleLock.newPrefix), (root.path, Settings.newName)] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            where name.hasPrefix(prefix) {
                unlink("\(folder)/\(name)")
            }
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: store.path)) ?? []
        where name.hasSuffix(".new") {
            unlink(store.path(name))
        }
        PrivateFolder.removeAbandoned(in: root.plugins, Self.stagingPrefix)
    }

    /// The start of the names of folders in `Plugins` in which commands prepare a change.
    package static let stagingPrefix = ".installing-"

    /// Moves a module's library into `Plugins`, and keeps the one that it replaces. The lock of the root, if there is one,
    /// names the new library. Call this only inside ``locked(_:)``.
    ///
    /// - Parameters:
    ///   - source: The path of the new library, on the same file system.
    ///   - hasEndedHosts: True if the current library is replaced because it has ended its hosts too often.
    /// - Returns: True if the root has a lock.
    /// - Throws: ``ViperError/Code/storeFailed``, ``ViperError/Code/pathUntrusted`` or ``ViperError/Code/lockInvalid``.
    package func replace(
        _ module: Manifest, from source: String, hasEndedHosts: Bool = false
    ) throws(ViperError) -> Bool {
        var entry = ModuleLock.Entry(
            version: module.version, library: module.library, sha256: try libraryDigest(ofFile: source))
        // Until the rename, the lock allows both libraries.
        entry.replaces = try ModuleLock(of: root)?.modules[module.name]?.sha256
        try ModuleLock.update([module.name: entry], in: root)
        if try !isInUse(entry.sha256, module.library), let kept = try keep(module.library), hasEndedHosts {
            try writeSynced([], to: kept + Self.mark)
        }
        try move(source, to: path(of: module.library))
        entry.replaces = nil
        let hasLock = try ModuleLock.update([module.name: entry], in: root)
        try prune(module.library)
        return hasLock
    }

    /// Gives an earlier version a second name on the same file system, because a later change may remove the version.
    package func stage(_ version: Version, as path: String) throws(ViperError) {
        unlink(path)
        if link(version.path, path) == 0 { return }
        // A file of another user cannot be linked, and some file systems have no links.
        try copyLibrary(version.path, to: path)
    }

    /// Moves a module's library out of `Plugins`, to its earlier versions. The lock no longer names the module. Call this
    /// method only inside ``locked(_:)``.
    ///
    /// - Returns: True if the root has a lock.
    /// - Throws: The same errors as ``replace(_:from:hasEndedHosts:)``.
    package func remove(_ module: Manifest) throws(ViperError) -> Bool {
        let (current, kept) = (path(of: module.library), try next(module.library))
        try move(current, to: kept)
        let hasLock: Bool
        do throws(ViperError) { hasLock = try ModuleLock.update([module.name: nil], in: root) } catch {
            try move(kept, to: current)
            throw error
        }
        try prune(module.library)
        return hasLock
    }

    private func files() throws(ViperError) -> [(number: Int, library: String)] {
        try fileNames(in: store.path, ending: ".so").compactMap { name in
            // No host writes so many versions, so a larger number is that of another file.
            guard let dash = name.firstIndex(of: "-"), let number = Int(name[..<dash]), (1..<1 << 53).contains(number)
            else { return nil }
            return (number, String(name[name.index(after: dash)...]))
        }.sorted { $0.number > $1.number }
    }

    private func next(_ library: String) throws(ViperError) -> String {
        store.path("\((try files().first?.number ?? 0) + 1)-\(library)")
    }

    /// Returns true if a library in `Plugins` has the same content as a new one.
    private func isInUse(_ digest: Digest, _ library: String) throws(ViperError) -> Bool {
        access(path(of: library), F_OK) == 0 && (try? libraryDigest(ofFile: path(of: library))) == digest
    }

    /// Gives the library in use a second name among its earlier versions, and returns its path. Returns nil if there is none.
    private func keep(_ library: String) throws(ViperError) -> String? {
        let current = path(of: library)
        var status = stat()
        guard stat(current, &status) == 0 else { return nil }
        let last = try files().first { $0.library == library }
        // An earlier change was killed before its rename.
        if let last, Self.isSameFile(store.path("\(last.number)-\(library)"), current) {
            return store.path("\(last.number)-\(library)")
        }
        let kept = try next(library)
        // The target of a symbolic link may change later. A file of another user cannot be linked, and some file systems
        // have no links.
        if lstat(current, &status) == 0, status.st_mode & S_IFMT != S_IFLNK, link(current, kept) == 0 { return kept }
        do { try copyLibrary(current, to: "\(kept).new") } catch {
            throw ViperError(
                .storeFailed, operation: "cannot keep library", subject: current, cause: error.cause, fix: error.fix)
        }
        try move("\(kept).new", to: kept)
        return kept
    }

    private func move(_ source: String, to target: String) throws(ViperError) {
        guard rename(source, target) == 0 else { throw storeFailure("cannot move file to", target) }
        for folder in Set([parentFolder(of: source), parentFolder(of: target)]) { try syncFolder(folder) }
    }

    /// Removes the earliest versions of a library if there are too many, and further copies of the same version.
    private func prune(_ library: String) throws(ViperError) {
        var contents = Set([try? libraryDigest(ofFile: path(of: library))].compactMap(\.self))
        var count = 0
        for file in try files() where file.library == library {
            let path = store.path("\(file.number)-\(library)")
            let digest = try? libraryDigest(ofFile: path)
            let isNew = digest.map { contents.insert($0).inserted } ?? true
            if isNew, count < Self.limit {
                count += 1
            } else {
                // The mark first, because its number may be given to another version.
                unlink(path + Self.mark)
                unlink(path)
            }
        }
    }

    private static func isSameFile(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev
            && one.st_ino == other.st_ino
    }
}

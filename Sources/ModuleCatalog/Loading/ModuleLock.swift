import FoundationEssentials
import Glibc
package import HostSystem
package import ViperKit

/// The lock of a root, `Manifests/modules.lock`: the version and the digest of each module's library. With a lock, the host
/// loads no other library.
///
/// A command that installs or rolls back a module changes the lock with ``update(_:in:)``.
package struct ModuleLock: Codable, Sendable, Equatable {
    /// A module in the lock.
    package struct Entry: Codable, Sendable, Equatable {
        package var version: String
        /// The file name of the module's library.
        package var library: String
        package var sha256: Digest
        /// The digest of the library that is being replaced. It is allowed until the replacement is complete. Nil at other
        /// times.
        package var replaces: Digest?

        package init(version: String, library: String, sha256: Digest, replaces: Digest? = nil) {
            (self.version, self.library, self.sha256, self.replaces) = (version, library, sha256, replaces)
        }

        fileprivate func allows(_ digest: Digest) -> Bool { digest == sha256 || digest == replaces }
    }

    /// The file's path below the root.
    package static let file = "Manifests/modules.lock"
    private static let name = "modules.lock"
    /// The start of the names of files that become the lock by a rename. They are hidden, so that no watcher takes them for
    /// a change.
    package static let newPrefix = ".modules.lock."
    private static let limit = 16 << 20

    /// The modules, keyed by name.
    package var modules: [String: Entry]

    package init(modules: [String: Entry]) { self.modules = modules }

    /// Reads the lock of a root. Returns nil if the root has none.
    ///
    /// - Throws: ``ViperError/Code/lockInvalid`` if the file cannot be read or is invalid, or
    ///   ``ViperError/Code/pathUntrusted``.
    package init?(of root: Root) throws(ViperError) {
        guard let folder = try root.open("Manifests")[0] else { return nil }
        let purpose = JSONText.Purpose(code: .lockInvalid, operation: "cannot use lock")
        let data: Data
        do { data = try folder.file(Self.name).read(limit: Self.limit) } catch {
            // A link without a target does not mean that all libraries are allowed.
            if error.isMissing, linkTarget("\(folder.path)/\(Self.name)") == nil { return nil }
            throw error.refusal(purpose.operation, Self.file)
                ?? ViperError(.lockInvalid, operation: purpose.operation, subject: Self.file, cause: error.cause)
        }
        self = try JSONText(name: Self.file, data: data, purpose: purpose).decode(ModuleLock.self)
    }

    /// Checks that the lock allows a library.
    ///
    /// - Throws: ``ViperError/Code/libraryUnlocked``.
    package func check(_ digest: Digest, of manifest: Manifest) throws(ViperError) {
        let entry = modules[manifest.name]
        if entry?.allows(digest) == true { return }
        throw ViperError(
            .libraryUnlocked, operation: "cannot load library", subject: manifest.library,
            cause: entry == nil
                ? "\(Self.file) does not name the module" : "it is not the library that \(Self.file) names",
            notes: (entry.map { [.init("locked", "\($0.version), SHA-256 \($0.sha256)")] } ?? [])
                + [.init("found", "\(manifest.version), SHA-256 \(digest)")],
            fix: "if you trust this library, run host lock --update \(manifest.name)")
    }

    /// Changes the entries of modules in the lock of a root. Does nothing if the root has no lock.
    ///
    /// A library and the lock cannot be replaced in one step. To replace a library so that the root is usable at each moment,
    /// first write an entry whose ``Entry/replaces`` is the digest of the old library, then rename the new library, then
    /// write the entry without it.
    ///
    /// - Parameter changes: The new entries, keyed by module name. A module whose value is nil is removed from the lock.
    /// - Returns: True if the root has a lock, so that the command can say that it was updated.
    @discardableResult
    package static func update(_ changes: [String: Entry?], in root: Root) throws(ViperError) -> Bool {
        guard var lock = try ModuleLock(of: root) else { return false }
        for (module, entry) in changes { lock.modules[module] = entry }
        try lock.write(in: root)
        return true
    }

    /// Atomically replaces the lock of a root. Call this method only inside ``ModuleVersions/locked(_:)``.
    package func write(in root: Root) throws(ViperError) {
        let text: [UInt8]
        do { text = try encodedJSON(self, isIndented: true) + [UInt8(ascii: "\n")] } catch {
            throw storeFailure("cannot write file", Self.file, errno: EINVAL)
        }
        let new = "\(root.manifests)/\(Self.newPrefix)\(getpid())"
        try writeSynced(text, to: new, permissions: 0o644)
        guard rename(new, "\(root.path)/\(Self.file)") == 0 else {
            let failure = storeFailure("cannot write file", "\(root.path)/\(Self.file)")
            unlink(new)
            throw failure
        }
        try syncFolder(root.manifests)
    }
}

package import HostSystem
package import ViperKit

extension ModuleVersions {
    /// The result of an automatic fallback.
    package enum Fallback: Sendable {
        /// The earlier version is used again.
        case done(Version)
        /// The root has a lock, so a person has to use the earlier version again.
        case locked(Version)
        /// The library is not installed, or no earlier version is usable.
        case none
    }

    /// Uses the latest usable earlier version of a module again, because its library has ended its hosts too often.
    ///
    /// If the root has a lock, nothing changes: only a person decides which libraries a lock allows.
    ///
    /// - Parameters:
    ///   - module: The module of the library.
    ///   - digest: The digest of the library. If another library is installed, nothing changes.
    ///   - isUsable: A closure that returns false for a version that is not used, for example because it is quarantined.
    /// - Throws: The same errors as ``replace(_:from:hasEndedHosts:)``.
    package func fallBack(
        from module: Manifest, _ digest: Digest, where isUsable: @escaping @Sendable (Version) -> Bool
    ) async throws(ViperError) -> Fallback {
        // In a root that cannot be written, only an actual change fails.
        let planned = try await BlockingWork.run { () throws(ViperError) in
            try plan(from: module, digest, where: isUsable)
        }
        guard case .done = planned else { return planned }
        return try await locked { [self] () throws(ViperError) in
            let fallback = try plan(from: module, digest, where: isUsable)
            if case .done(let version) = fallback {
                _ = try replace(version.manifest, from: version.path, hasEndedHosts: true)
            }
            return fallback
        }
    }

    private func plan(
        from module: Manifest, _ digest: Digest, where isUsable: (Version) -> Bool
    ) throws(ViperError) -> Fallback {
        guard (try? libraryDigest(ofFile: path(of: module.library))) == digest,
            let version = try all(of: module.name).first(where: { !$0.hasEndedHosts && isUsable($0) })
        else { return .none }
        return try ModuleLock(of: root) == nil ? .done(version) : .locked(version)
    }
}

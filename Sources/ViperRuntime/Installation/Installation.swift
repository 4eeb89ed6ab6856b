import Glibc
package import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
package import ViperKit

/// Changes of the modules that are installed in a root. An installed module is one file: a library that contains its
/// manifest.
///
/// Each change takes effect with one rename. A host that serves the root notices it like any other change of a file.
///
/// A change is shown before it is made. It is decided again while no other command changes the modules, and shown again
/// if it is then another one. Code of the module runs only after the change is wanted.
package struct Installation: Sendable {
    let configuration: ViperHost.Configuration
    let versions: ModuleVersions
    var root: Root { configuration.root }

    /// A closure that shows a change, and returns true if it is wanted.
    package typealias Confirmation = @Sendable (ModuleChange) async throws(ViperError) -> Bool

    /// Creates an installation.
    ///
    /// - Parameter configuration: The configuration of a host of the root.
    package init(_ configuration: ViperHost.Configuration) {
        self.configuration = configuration
        versions = ModuleVersions(in: configuration.root)
    }

    /// Installs a library in place of the module's current one.
    ///
    /// - Parameters:
    ///   - file: The path of the library, which may have any name.
    ///   - digest: The digest that the library must have. Nil to accept each library that only its owner can change.
    ///   - isAsked: True if `isWanted` asks a person.
    ///   - isWanted: A closure that shows the change.
    /// - Returns: The change, or nil if it is not wanted.
    /// - Throws: An error if the library contains no manifest, if a file in `Manifests` or another module is in its way, or
    ///   if the library does not work. Nothing has changed then.
    package func install(
        _ file: String, as digest: Digest? = nil, isAsked: Bool = false, _ isWanted: Confirmation
    ) async throws(ViperError) -> ModuleChange? {
        // A system call would use the part before the null character.
        if file.utf8.contains(0) {
            throw ViperError(
                .libraryFileMissing, operation: "cannot install library", subject: file,
                cause: "no path contains a null character")
        }
        let path = try absolute(file)
        let staging = try staging()
        defer { staging.remove() }
        let copy = "\(staging.path)/library"
        // A client that leaves does not want the library any more.
        let isUnwanted = OneShot<Void>()
        let offered = await withTaskCancellationHandler { () async -> Result<OfferedLibrary, ViperError> in
            do throws(ViperError) {
                return .success(
                    try await whenFinished { [root] () throws(ViperError) in
                        try OfferedLibrary(copying: path, to: copy, root.trust, expecting: digest, isAsked: isAsked) {
                            () throws(ViperError) in
                            if isUnwanted.isSet { throw .changeCancelled }
                        }
                    })
            } catch { return .failure(error.about(path, as: file)) }
        } onCancel: {
            isUnwanted.set()
        }
        let library = try offered.get()
        if Task.isCancelled { throw .changeCancelled }
        _ = try await BlockingWork.run { () throws(ViperError) in try checkEffects(ofLibrary: copy, named: file) }
        let refusal = try await whenFinished { [configuration] () throws(ViperError) in
            try Quarantine(configuration).refusal(ofOthers: library.digest)
        }
        if let refusal { throw refusal }
        return try await carryOut { [self] () throws(ViperError) in
            var change = try change(to: library.manifest, library.digest)
            change.owner = library.stranger
            return change
        } if: { (change: ModuleChange) async throws(ViperError) -> ModuleChange? in
            guard try await isWanted(change) else { return nil }
            do throws(ViperError) {
                return change.lacking(try await tryLibrary(copy, library.manifest, in: staging))
            } catch { throw error.about(copy, as: file) }
        } make: { [versions] (change: ModuleChange) throws(ViperError) -> ModuleChange in
            change.made(updatingLock: try versions.replace(library.manifest, from: copy))
        }
    }

    /// Uses an earlier version of a module again. The version in use becomes an earlier one.
    ///
    /// - Parameter version: The version to use. Nil for the latest one that is not quarantined and has not ended its hosts.
    /// - Returns: The change, or nil if it is not wanted.
    /// - Throws: ``ViperError/Code/versionMissing`` if there is no such version. The errors of ``install(_:_:)``.
    package func rollBack(
        _ module: String, to version: String? = nil, _ isWanted: Confirmation
    ) async throws(ViperError) -> ModuleChange? {
        let quarantine = try Quarantine(configuration)
        let staging = try staging()
        defer { staging.remove() }
        // Another command may remove the earlier version, so the trial uses another name of the same file.
        let copy = "\(staging.path)/library"
        return try await carryOut { [self] () throws(ViperError) in
            let earlier = try earlierVersion(of: module, version, quarantine)
            try versions.stage(earlier, as: copy)
            let digest = try libraryDigest(ofFile: copy)
            if let refusal = quarantine.refusal(ofOthers: digest) { throw refusal }
            return try change(to: earlier.manifest, digest)
        } if: { (change: ModuleChange) async throws(ViperError) -> ModuleChange? in
            guard try await isWanted(change) else { return nil }
            return change.lacking(try await tryLibrary(copy, try Manifest(packedIn: copy), in: staging))
        } make: { [versions] (change: ModuleChange) throws(ViperError) -> ModuleChange in
            // A later rollback does not go forward to a version that this one leaves because it ended its hosts.
            let hasEndedHosts = quarantine.report(ofLibrary: versions.path(of: change.library)) != nil
            let manifest = try Manifest(packedIn: copy)
            return change.made(
                updatingLock: try versions.replace(manifest, from: copy, hasEndedHosts: hasEndedHosts))
        }
    }

    /// Removes a module. Its library becomes an earlier version, so ``rollBack(_:to:_:)`` installs it again.
    ///
    /// - Returns: The change, or nil if it is not wanted.
    /// - Throws: ``ViperError/Code/moduleUnknown``, or an error if the module is not one file in `Plugins`.
    package func remove(_ module: String, _ isWanted: Confirmation) async throws(ViperError) -> ModuleChange? {
        try await carryOut { [self] () throws(ViperError) in
            let catalog = try Catalog(reading: root)
            let manifest = try removable(module, in: catalog)
            var change = ModuleChange(manifest, from: manifest, to: nil)
            change.replaces = try? libraryDigest(ofFile: versions.path(of: manifest.library))
            change.losses = losses(of: manifest, in: catalog, catalog.replacing(manifest, by: nil))
            return change
        } if: { (change: ModuleChange) async throws(ViperError) -> ModuleChange? in
            try await isWanted(change) ? change : nil
        } make: { [self] (change: ModuleChange) throws(ViperError) -> ModuleChange in
            change.made(
                updatingLock: try versions.remove(try removable(module, in: try Catalog(reading: root))))
        }
    }

    /// Returns the change to a version of a module.
    private func change(to manifest: Manifest, _ digest: Digest) throws(ViperError) -> ModuleChange {
        let catalog = try Catalog(reading: root)
        let current = try catalog.entry(describing: manifest)
        if let current, !current.isPacked {
            throw ViperError(
                .manifestSeparate, operation: "cannot install module", subject: manifest.name,
                cause: "\(current.file) describes it, and would take precedence over the manifest in the library",
                fix: "remove \(current.file) to let the library describe the module, then retry")
        }
        var change = ModuleChange(manifest, from: try current?.manifest.get(), to: manifest)
        change.sha256 = digest
        change.replaces = current == nil ? nil : try? libraryDigest(ofFile: versions.path(of: manifest.library))
        let next = catalog.replacing(manifest, by: manifest)
        change.losses = losses(of: manifest, in: catalog, next)
        change.lack = lack(of: manifest, in: next)
        return change
    }

    private func removable(_ module: String, in catalog: Catalog) throws(ViperError) -> Manifest {
        let entry = catalog.entries.first { (try? $0.manifest.get())?.name == module }
        guard let entry, let manifest = try? entry.manifest.get() else {
            throw ViperError(
                .moduleUnknown, operation: "cannot remove module", subject: module, cause: "no module has this name",
                fix: "run host modules to list all modules")
        }
        if entry.isPacked { return manifest }
        throw ViperError(
            .manifestSeparate, operation: "cannot remove module", subject: module,
            cause: "it is described by \(entry.file), so it is not one file",
            fix: "remove \(entry.file), and Plugins/\(manifest.library) if it exists")
    }

    private func earlierVersion(
        of module: String, _ version: String?, _ quarantine: Quarantine
    ) throws(ViperError) -> ModuleVersions.Version {
        let all = try versions.all(of: module)
        let found =
            version.map { version in all.first { $0.manifest.version == version } }
            ?? all.first { !$0.hasEndedHosts && quarantine.report(ofLibrary: $0.path) == nil }
        if let found { return found }
        let names = all.map(\.manifest.version).joined(separator: ", ")
        throw ViperError(
            .versionMissing, operation: "cannot roll back module", subject: module,
            cause: all.isEmpty
                ? "Plugins/.versions has no earlier version"
                : version.map { "Plugins/.versions has no version \($0)" }
                    ?? "all earlier versions are quarantined or have ended their host",
            notes: all.isEmpty ? [] : [.init("versions", names)],
            fix: all.isEmpty
                ? "install a version with host install"
                : "write one of these versions after the name, after host quarantine retry \(module) if it is quarantined"
        )
    }

    /// Creates the folder for the files of one change. It is on the same file system as the installed modules.
    private func staging() throws(ViperError) -> PrivateFolder {
        try PrivateFolder(
            in: root.plugins, prefix: ModuleVersions.stagingPrefix, fix: "make the folder writable", trust: root.trust)
    }
}

extension ModuleChange {
    /// Returns the change with the result of the trial of its library.
    fileprivate func lacking(_ lack: String?) -> ModuleChange {
        var change = self
        change.lack = change.lack ?? lack
        return change
    }

    fileprivate func made(updatingLock updatesLock: Bool) -> ModuleChange {
        var change = self
        change.updatesLock = updatesLock
        return change
    }
}

extension ViperError {
    /// Returns the error with one path in place of another.
    fileprivate func about(_ path: String, as other: String) -> ViperError {
        var error = self
        error.subject.replace(path, with: other)
        error.fix = error.fix?.replacing(path, with: other)
        return error
    }
}

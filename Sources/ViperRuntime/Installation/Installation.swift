import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
package import ViperKit

/// Changes of the modules that are installed in a root. An installed module is one file: a library that contains its
/// manifest.
///
/// Each change takes effect with one rename. A host that serves the root notices it like any other change of a file.
package struct Installation: Sendable {
    private let configuration: ViperHost.Configuration
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
    /// - Parameter file: The path of the library, which may have any name.
    /// - Returns: The change, or nil if it is not wanted.
    /// - Throws: An error if the library contains no manifest, if a file in `Manifests` or another module is in its way, or
    ///   if the library does not work. Nothing has changed then.
    package func install(_ file: String, _ isWanted: Confirmation) async throws(ViperError) -> ModuleChange? {
        // A system call would use the part before the null character.
        if file.utf8.contains(0) {
            throw ViperError(
                .libraryFileMissing, operation: "cannot install library", subject: file,
                cause: "no path contains a null character")
        }
        let staging = try PrivateFolder(
            in: root.plugins, prefix: ".installing-", fix: "make the folder writable", trust: root.trust)
        defer { staging.remove() }
        let copy = "\(staging.path)/library"
        try await whenFinished { () throws(ViperError) in try copyLibrary(file, to: copy) }
        let manifest: Manifest
        do { manifest = try Manifest(packedIn: copy) } catch { throw error.about(copy, as: file) }
        let refusal = try await whenFinished { [configuration] () throws(ViperError) in
            try Quarantines(configuration).refusalOfOthers(libraryDigest(ofFile: copy))
        }
        if let refusal { throw refusal }
        var change = try change(to: manifest)
        do { change.lack = try await tryLibrary(copy, manifest, in: staging) } catch {
            throw error.about(copy, as: file)
        }
        guard try await isWanted(change) else { return nil }
        change.updatesLock = try await versions.install(manifest, from: copy)
        return change
    }

    /// Uses an earlier version of a module again. The version in use becomes an earlier one.
    ///
    /// - Parameter version: The version to use. Nil for the latest one that is not quarantined and has not ended its hosts.
    /// - Returns: The change, or nil if it is not wanted.
    /// - Throws: ``ViperError/Code/versionMissing`` if there is no such version. The errors of ``install(_:_:)``.
    package func rollBack(
        _ module: String, to version: String? = nil, _ isWanted: Confirmation
    ) async throws(ViperError) -> ModuleChange? {
        let earlier = try await earlierVersion(of: module, version)
        var change = try change(to: earlier.manifest)
        let staging = try PrivateFolder(
            in: root.plugins, prefix: ".installing-", fix: "make the folder writable", trust: root.trust)
        defer { staging.remove() }
        change.lack = try await tryLibrary(earlier.path, earlier.manifest, in: staging)
        guard try await isWanted(change) else { return nil }
        change.updatesLock = try await versions.install(earlier.manifest, from: earlier.path)
        return change
    }

    /// Removes a module. Its library becomes an earlier version, so ``rollBack(_:to:_:)`` installs it again.
    ///
    /// - Returns: The change, or nil if it is not wanted.
    /// - Throws: ``ViperError/Code/moduleUnknown``, or an error if the module is not one file in `Plugins`.
    package func remove(_ module: String, _ isWanted: Confirmation) async throws(ViperError) -> ModuleChange? {
        let entry = try Catalog(reading: root).entries.first { (try? $0.manifest.get())?.name == module }
        guard let entry, let manifest = try? entry.manifest.get() else {
            throw ViperError(
                .moduleUnknown, operation: "cannot remove module", subject: module, cause: "no module has this name",
                fix: "run host modules to list all modules")
        }
        guard entry.isPacked else {
            throw ViperError(
                .manifestSeparate, operation: "cannot remove module", subject: module,
                cause: "it is described by \(entry.file), so it is not one file",
                fix: "remove \(entry.file), and Plugins/\(manifest.library) if it exists")
        }
        var change = ModuleChange(manifest, from: manifest, to: nil)
        guard try await isWanted(change) else { return nil }
        change.updatesLock = try await versions.remove(manifest)
        return change
    }

    /// Returns the change to a version of a module.
    private func change(to manifest: Manifest) throws(ViperError) -> ModuleChange {
        let current = try Catalog(reading: root).entry(describing: manifest)
        if let current, !current.isPacked {
            throw ViperError(
                .manifestSeparate, operation: "cannot install module", subject: manifest.name,
                cause: "\(current.file) describes it, and would take precedence over the manifest in the library",
                fix: "remove \(current.file) to let the library describe the module, then retry")
        }
        return ModuleChange(manifest, from: try current?.manifest.get(), to: manifest)
    }

    private func earlierVersion(
        of module: String, _ version: String?
    ) async throws(ViperError) -> ModuleVersions.Version {
        let all = try versions.all(of: module)
        let quarantines = try await BlockingWork.run { [configuration] () throws(ViperError) in
            try Quarantines(configuration)
        }
        let found = await BlockingWork.run {
            version.map { version in all.first { $0.manifest.version == version } }
                ?? all.first { !$0.hasEndedHosts && quarantines.report(ofLibrary: $0.path) == nil }
        }
        if let found { return found }
        let names = all.map(\.manifest.version).joined(separator: ", ")
        throw ViperError(
            .versionMissing, operation: "cannot roll back module", subject: module,
            cause: all.isEmpty
                ? "Plugins/.versions has no earlier version"
                : version.map { "Plugins/.versions has no version \($0)" }
                    ?? "all earlier versions are quarantined or have ended their host",
            notes: all.isEmpty ? [] : [.init("versions", names)],
            fix: all.isEmpty ? "install a version with host install" : "write one of these versions after the name")
    }

    /// Tries a library in another process, in a root that has all other modules.
    ///
    /// - Returns: The reason why the module cannot be used yet, such as a missing provider. Nil if it can.
    /// - Throws: The error for which a host would refuse the library.
    private func tryLibrary(
        _ library: String, _ manifest: Manifest, in staging: PrivateFolder
    ) async throws(ViperError) -> String? {
        let folder = try PrivateFolder(
            in: staging.path, prefix: "root-", fix: "make the folder writable", trust: root.trust)
        defer { folder.remove() }
        var configuration = configuration
        configuration.root = try root.overlay(in: folder, with: library, manifest, isPacked: true)
        (configuration.usesIndex, configuration.isLive) = (false, true)
        configuration.settings.disabled.remove(manifest.name)
        // The error of the trial says all that matters.
        configuration.logger = LineLogger(source: "host", minimum: .error) { _ in }
        let host = try ViperHost(configuration)
        let result = await host.tried(manifest.name)
        await host.shutDown()
        return try result.get()
    }
}

extension ViperHost {
    /// Tries a module in another process. The result is the reason why the module lacks something that may come later, or
    /// an error if the host would refuse its library.
    fileprivate func tried(_ module: String) async -> Result<String?, ViperError> {
        await BlockingWork.run { self.checkLibraries() }
        let snapshot = registry.snapshot
        guard let record = snapshot.modules.first(where: { $0.name == module }) else {
            return .failure(
                ViperError(
                    .moduleUnknown, operation: "cannot try module", subject: module, cause: "no module has this name"))
        }
        do throws(ViperError) {
            if let refusal = record.state.refusal { throw refusal }
            try await activator.prove(record, in: snapshot)
            return .success(nil)
        } catch {
            // Modules may be installed in any order, and before their settings.
            return [.requirementUnmet, .contractUnmet, .settingInvalid].contains(error.code)
                ? .success(error.cause) : .failure(error)
        }
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

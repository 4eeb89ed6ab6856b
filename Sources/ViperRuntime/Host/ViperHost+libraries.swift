import HostSystem
package import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Synchronization
package import ViperKit

extension ViperHost {
    /// Checks the libraries of all resolved modules without loading them. Refuses modules with an invalid or quarantined
    /// library, and the modules that require them.
    package func checkLibraries() {
        let checks = Result { () throws(ViperError) in try LibraryChecks(loader, after: loadedLibraries) }
        let snapshot = registry.snapshot
        var found: [String: LibraryWarnings] = [:]
        registry.refuse { manifest, file throws(ViperError) in
            var record = CheckRecord()
            guard let files = snapshot.module(from: file)?.files else { return }
            try check(manifest, isPacked: files.entry.isPacked, in: snapshot, with: checks.get(), &record)
            let errors = record.results.filter(\.isWarning).compactMap(\.error)
            if !errors.isEmpty { found[manifest.name] = LibraryWarnings(files: files, errors: errors) }
        }
        libraryWarnings.withLock { $0 = found }
    }

    /// A serving host loads libraries into its own process. A command only checks them, as for a new process.
    private var loadedLibraries: LoadedLibraries { configuration.isLive ? .ofProcess : .none }

    /// Performs the same checks on the library of one module, and returns their results. This method blocks.
    func checkResults(of manifest: Manifest, isPacked: Bool) -> [CheckResult] {
        var record = CheckRecord()
        do {
            let checks = try LibraryChecks(loader, after: loadedLibraries)
            try check(manifest, isPacked: isPacked, in: registry.snapshot, with: checks, &record)
        } catch {
            // If the folders cannot be opened, no check has begun.
            if record.results.isEmpty { return [CheckResult(promise: "the root can be read", error: error)] }
        }
        return record.results
    }

    private func check(
        _ manifest: Manifest, isPacked: Bool, in snapshot: RegistrySnapshot, with checks: LibraryChecks,
        _ record: inout CheckRecord
    ) throws(ViperError) {
        let subject = LibraryChecks.Subject(
            manifest, isPacked: isPacked, isAlone: activator.codes.isIsolated(manifest),
            contracts: snapshot.contracts(of: manifest).compactMap(\.manifest))
        let bytes = try checks.check(subject, &record).bytes
        try record.check("it is not in quarantine") { () throws(ViperError) in
            if let report = quarantine.report(for: Digest(of: bytes)) { throw quarantine.refusal(of: report) }
        }
    }

    /// Writes the lock of the root: the version and the digest of each module's library. This method blocks.
    ///
    /// - Parameter names: The modules whose entries change. Empty to write a new lock with all modules.
    /// - Returns: The lock, and the errors of the modules that it leaves out because their library cannot be read.
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has one of the names. ``ViperError/Code/lockInvalid`` if
    ///   there are names, but no valid lock.
    package func lock(_ names: [String]) throws(ViperError) -> (lock: ModuleLock, omitted: [ViperError]) {
        var lock = ModuleLock(modules: [:])
        if !names.isEmpty {
            guard let current = try ModuleLock(of: root) else {
                throw ViperError(
                    .lockInvalid, operation: "cannot update lock", subject: ModuleLock.file,
                    cause: "it does not exist", fix: "write it with host lock")
            }
            lock = current
        }
        var omitted: [ViperError] = []
        let manifests = registry.snapshot.modules.compactMap(\.manifest)
        for name in names where !manifests.contains(where: { $0.name == name }) {
            // The module may have been removed from the root.
            if lock.modules.removeValue(forKey: name) != nil { continue }
            throw ViperError(
                .moduleUnknown, operation: "cannot lock module", subject: name, cause: "no module has this name",
                fix: "run host modules to list all modules")
        }
        for manifest in manifests where names.isEmpty || names.contains(manifest.name) {
            do { lock.modules[manifest.name] = try loader.finder.lockEntry(of: manifest) } catch {
                if !names.isEmpty { throw error }
                omitted.append(error)
            }
        }
        try lock.write(in: root)
        return (lock, omitted)
    }

    /// Checks who can change the libraries of all resolved modules, without reading them. Refuses modules whose library
    /// an untrusted user can change, and the modules that require them.
    package func checkTrust() {
        let checks = Result { () throws(ViperError) in try LibraryChecks(loader, after: loadedLibraries) }
        registry.refuse { manifest, _ throws(ViperError) in try checks.get().checkTrust(manifest) }
    }
}

/// What the library of a module does to the whole process.
struct LibraryWarnings: Sendable {
    /// The files that were checked.
    var files: ModuleFiles
    var errors: [ViperError]
}

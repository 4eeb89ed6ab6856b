import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Synchronization
import ViperKit

extension ViperHost {
    /// Names the module at fault if this process crashes. A live host also logs the crashes of earlier hosts, quarantines
    /// the libraries that have ended their hosts too often, and uses the versions before them again.
    ///
    /// This method accesses files, so do not call it on the main actor.
    package func handleCrashes(_ configuration: Configuration) async {
        // A worker's host reads the worker's standard error.
        CrashHandler.install(
            folder: configuration.isWorker ? nil : crashHistory.folder, isWorker: configuration.isWorker)
        if configuration.isWorker { return }
        if !configuration.isLive { return crashHistory.prune() }
        let crashes = crashHistory.take()
        for crash in crashes.new { logger.log(.warning, "an earlier host \(crash.description)") }
        for crash in crashes.frequent { await quarantine(crash) }
        lastCrashes.withLock { $0 = crashes.last }
    }

    /// Reads the last crash of each module, for ``ModuleListing``.
    package func readCrashes() {
        let last = crashHistory.last()
        lastCrashes.withLock { $0 = last }
    }

    private func quarantine(_ crash: Crash) async {
        guard let module = crash.moduleAtFault, let digest = crash.digest else { return }
        let manifest = registry.snapshot.modules.first { $0.name == module.name }?.manifest
        quarantine.put(
            QuarantineReport(
                module: module.name, library: manifest?.library ?? "", digest: digest,
                phase: QuarantineReport.hostPhase, ending: crash.description,
                excess: "\(CrashHistory.limit) crashes within \(CrashHistory.window) s",
                backtrace: module.symbol.map { demangled($0) } ?? ""))
        logger.log(
            .warning,
            "module \(module.name) \(module.version) has ended its host \(CrashHistory.limit) times within "
                + "\(CrashHistory.window) s, so its library is quarantined")
        if let manifest { await replace(manifest, with: digest) }
    }

    /// Uses the latest earlier version of a module again that is not quarantined, if the given library is still installed.
    private func replace(_ manifest: Manifest, with digest: Digest) async {
        let (name, version) = (manifest.name, manifest.version)
        do {
            let fallback = try await ModuleVersions(in: root).fallBack(from: manifest, digest) { [quarantine] in
                quarantine.report(ofLibrary: $0.path) == nil
            }
            switch fallback {
            case .done(let earlier):
                logger.log(
                    .warning,
                    "module \(name): version \(earlier.manifest.version) is used again, because \(version) is quarantined"
                )
            case .locked(let earlier):
                logger.log(
                    .error,
                    "module \(name): version \(earlier.manifest.version) is not used again, because \(ModuleLock.file) "
                        + "names \(version); use it with host rollback \(name)")
            case .none: break
            }
        } catch {
            logger.log(
                .error,
                "module \(name): no earlier version is used again, because this host cannot change the root: "
                    + "\(error.summary); as a user who can, run host rollback \(name)")
        }
    }
}

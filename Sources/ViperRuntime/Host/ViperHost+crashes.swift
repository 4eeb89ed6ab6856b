import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Synchronization
import ViperKit

extension ViperHost {
    /// Names the module at fault if this process crashes. A live host also logs the crashes of earlier hosts, and
    /// quarantines the libraries that have ended their hosts too often.
    ///
    /// This method accesses files, so do not call it on the main actor.
    package func handleCrashes(_ configuration: Configuration) {
        // A worker's host reads the worker's standard error.
        CrashHandler.install(
            folder: configuration.isWorker ? nil : crashHistory.folder, isWorker: configuration.isWorker)
        if configuration.isWorker { return }
        if !configuration.isLive { return crashHistory.prune() }
        let crashes = crashHistory.take()
        for crash in crashes.new { logger.log(.warning, "an earlier host \(crash.description)") }
        for crash in crashes.frequent { quarantine(crash) }
        lastCrashes.withLock { $0 = crashes.last }
    }

    /// Reads the last crash of each module, for ``ModuleListing``.
    package func readCrashes() {
        let last = crashHistory.last()
        lastCrashes.withLock { $0 = last }
    }

    private func quarantine(_ crash: Crash) {
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
    }
}

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
        if !configuration.isLive { return }
        let (new, frequent) = crashHistory.take()
        for crash in new { logger.log(.warning, "an earlier host \(crash.description)") }
        for crash in frequent { quarantine(crash) }
        readCrashes()
    }

    /// Reads the last crash of each module, for ``ModuleListing``.
    package func readCrashes() {
        let last = crashHistory.last()
        lastCrashes.withLock { $0 = last }
    }

    private func quarantine(_ crash: Crash) {
        guard let culprit = crash.culprit, let digest = crash.digest else { return }
        let manifest = registry.snapshot.modules.first { $0.name == culprit.module }?.manifest
        quarantine.put(
            QuarantineReport(
                module: culprit.module, library: manifest?.library ?? "", digest: digest,
                phase: QuarantineReport.hostPhase, ending: crash.description,
                excess: "\(CrashHistory.limit) crashes within \(CrashHistory.window) s",
                backtrace: culprit.symbol.map { demangled($0) } ?? ""))
        logger.log(
            .warning,
            "module \(culprit.module) \(culprit.version) has ended its host \(CrashHistory.limit) times within "
                + "\(CrashHistory.window) s, so its library is quarantined")
    }
}

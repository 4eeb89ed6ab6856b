import HostSystem
import ModuleCatalog
import ViperKit

extension QuarantineReport {
    /// What a module's worker has left behind.
    ///
    /// - Parameter excess: How often it has ended, when that is the reason.
    init(
        _ manifest: Manifest, _ digest: Digest, phase: String, _ end: WorkerProcess.End, after excess: String? = nil
    ) {
        self.init(
            module: manifest.name, library: manifest.library, digest: digest, phase: phase,
            ending: end.ending.description, excess: excess,
            backtrace: ((end.report.reason.map { [$0] } ?? []) + end.report.frames).joined(separator: "\n"),
            output: end.report.lastLines.joined(separator: "\n"))
    }
}

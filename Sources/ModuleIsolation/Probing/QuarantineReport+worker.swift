import HostSystem
import ModuleCatalog
import ViperKit

extension QuarantineReport {
    /// Creates a report from the ending and the crash report of a module's worker.
    ///
    /// - Parameter excess: The number of crashes and their period, such as `5 crashes within 60 s`. Nil if a single
    ///   crash was the reason.
    init(
        _ manifest: Manifest, _ digest: Digest, phase: String, _ end: WorkerProcess.End, after excess: String? = nil
    ) {
        self.init(
            module: manifest.name, library: manifest.library, digest: digest, phase: phase,
            ending: end.predicate, excess: excess,
            backtrace: ((end.report.reason.map { [$0] } ?? []) + end.report.frames).joined(separator: "\n"),
            output: end.report.lastLines.joined(separator: "\n"))
    }
}

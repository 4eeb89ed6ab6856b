package import ViperKit

extension ViperError.Code {
    /// The process that a module ran in has ended.
    package static var workerCrashed: Self { Self(rawValue: "worker-crashed") }
}

extension ViperError {
    /// The innermost calls say where; more would hide the rest of the error.
    private static let frameLimit = 8

    static func workerCrashed(_ module: String, _ end: WorkerProcess.End) -> ViperError {
        var notes: [Note] = end.report.reason.map { [Note("reason", $0)] } ?? []
        // How the host came to call the module is of no concern.
        let frames = end.report.frames.prefix { !$0.contains(" in host") }
        notes += (frames.isEmpty ? end.report.frames[...] : frames).prefix(frameLimit).map { Note("at", $0) }
        notes += end.report.lastLines.map { Note("it wrote", $0) }
        return ViperError(
            .workerCrashed, "cannot go on with module", module, cause: "its worker \(end.ending.description)",
            notes: notes)
    }
}

extension WorkerProcess.End {
    /// How it ended, why and where, in one line.
    var summary: String {
        // Where the module's own code was; that of Swift and of the host is the same each time.
        let place = report.frames.first { !$0.contains(" in host") && !$0.contains(" in libswift") }
        return ending.description + (report.reason.map { ": \($0)" } ?? "") + (place.map { ", at \($0)" } ?? "")
    }
}

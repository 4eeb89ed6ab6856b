package import ViperKit

extension ViperError.Code {
    /// The module's worker process has exited.
    package static var workerCrashed: Self { Self("worker-crashed", .module) }
    /// The module's worker process was killed from outside, so the library is not at fault.
    package static var workerKilled: Self { Self("worker-killed", .temporary) }
}

extension ViperError {
    /// The maximum number of stack frames in an error. More frames would hide the rest of the error.
    private static let frameLimit = 8

    /// Returns the error for a worker that has exited: ``ViperError/Code/workerCrashed`` if the library is at fault,
    /// otherwise ``ViperError/Code/workerKilled``.
    static func workerEnded(_ module: String, _ end: WorkerProcess.End) -> ViperError {
        var notes: [Note] = end.report.reason.map { [Note("reason", $0)] } ?? []
        // Omits the host's frames, which called the module.
        let frames = end.report.frames.prefix { !$0.contains(" in host") }
        notes += (frames.isEmpty ? end.report.frames[...] : frames).prefix(frameLimit).map { Note("at", $0) }
        // Lines of the worker's own host are not useful to the user.
        notes += end.report.lastLines.filter { !$0.hasPrefix("host: ") }.map { Note("output", $0) }
        return ViperError(
            end.isFault ? .workerCrashed : .workerKilled, operation: "cannot use module", subject: module,
            cause: "its worker \(end.predicate)", notes: notes, fix: end.isFault ? nil : retry)
    }

    /// Returns the error for a worker that still finishes its running calls after a signal from outside.
    static func workerEnding(_ module: String) -> ViperError {
        ViperError(
            .workerKilled, operation: "cannot use module", subject: module,
            cause: "its worker has received a signal and is ending", fix: retry)
    }

    private static let retry = "retry; if this recurs, find out which process sends the signal"
}

extension WorkerProcess.End {
    /// A predicate for the subject "its worker", with the module and the function that crashed, if known.
    var predicate: String { ending.description + (report.moduleAtFault.map { " in \($0)" } ?? "") }

    /// A one-line description of how the worker ended, with the crash reason and the first frame in the module's code.
    var summary: String {
        // The first frame in the module's own code.
        let frame = report.frames.first { !$0.contains(" in host") && !$0.contains(" in libswift") }
        return predicate + (report.reason.map { ": \($0)" } ?? "") + (frame.map { ", at \($0)" } ?? "")
    }
}

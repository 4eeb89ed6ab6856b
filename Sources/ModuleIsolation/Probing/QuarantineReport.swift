import FoundationEssentials
package import HostSystem
import ModuleCatalog
package import ViperKit

/// A report about a quarantined library.
package struct QuarantineReport: Codable, Sendable, Equatable {
    /// The module's name. Empty if the report is damaged.
    package var module: String
    /// The library's file name. Empty if the report is damaged.
    package var library: String
    package var digest: Digest
    /// The time of the report in UTC, such as `2026-01-31T12:00:00Z`. Empty if the report is damaged.
    package var when: String
    /// The step that failed: `load`, `make`, `health`, `stop` or `call`. ``hostPhase`` if the library ended its host.
    /// Empty if the report is damaged.
    package var phase: String
    /// A description of how the process ended, such as `was terminated by signal 11 (Segmentation fault)`,
    /// `exited with code 0`, or `did not respond within 10 s and was killed`.
    package var ending: String
    /// The number of crashes and their period, such as `5 crashes within 60 s`. Nil if a single crash was the reason.
    package var excess: String?
    /// The crash reason, if known, followed by the stack, with the innermost call first. Each entry is on a separate
    /// line.
    package var backtrace: String
    /// The last lines of standard error outside the crash report.
    package var output: String

    /// The maximum size of `backtrace` and of `output`, each in bytes.
    package static let textLimit = 64 << 10

    /// Creates a report with the current time. Cuts off the end of a long backtrace, and the beginning of long output.
    package init(
        module: String, library: String, digest: Digest, phase: String, ending: String, excess: String? = nil,
        backtrace: String = "", output: String = ""
    ) {
        (self.module, self.library, self.digest, self.phase, self.ending) = (module, library, digest, phase, ending)
        self.excess = excess
        when = Date.now.formatted(.iso8601)
        self.backtrace = String(decoding: backtrace.utf8.prefix(Self.textLimit), as: UTF8.self)
        self.output = String(decoding: output.utf8.suffix(Self.textLimit), as: UTF8.self)
    }

    /// Creates a report that replaces a damaged report.
    init(damaged digest: Digest, cause: String) {
        self.init(module: "", library: "", digest: digest, phase: "", ending: "its report cannot be read: \(cause)")
        when = ""
    }

    package static let hostPhase = "host"

    /// The first digits of the digest, for use in tables and commands.
    package var shortDigest: String { String(digest.description.prefix(12)) }

    package var refusal: ViperError {
        let name = module.isEmpty ? shortDigest : module
        let lines = backtrace.split(whereSeparator: \.isNewline).prefix(5)
        return ViperError(
            .libraryQuarantined, operation: "cannot load library", subject: library.isEmpty ? shortDigest : library,
            cause: cause,
            notes: lines.map { .init("backtrace", String($0)) } + (when.isEmpty ? [] : [.init("when", when)])
                + [.init("digest", digest.description)],
            fix: "replace the library, or retry it with host quarantine retry \(name)")
    }

    private var cause: String {
        if phase.isEmpty { return "it is quarantined; \(ending)" }
        let reason = "it is quarantined\(excess.map { " after \($0)" } ?? "")"
        if phase == Self.hostPhase { return "\(reason); the host \(ending)" }
        let time =
            switch phase {
            case "load": "while loading the library"
            case "make": "while creating the module"
            case "health": "during the health check"
            case "open": "while opening a route"
            case "event": "while handling an event"
            case "stop": "while stopping the module"
            case "call": "during a call"
            default: "in phase \(phase)"
            }
        let last = "its worker \(ending.hasPrefix("signal ") ? "crashed with " : "")\(ending) \(time)"
        return "\(reason); \(last)"
    }
}

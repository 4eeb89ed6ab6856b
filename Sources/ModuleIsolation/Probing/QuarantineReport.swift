import FoundationEssentials
package import HostSystem
import ModuleCatalog
package import ViperKit

/// Why a library is not loaded any more: what it did when it was tried.
package struct QuarantineReport: Codable, Sendable, Equatable {
    /// The module's name. Empty where the report is damaged.
    package var module: String
    /// The library's file name.
    package var library: String
    /// What the library is known by.
    package var digest: Digest
    /// When it was tried, in UTC: `2026-01-31T12:00:00Z`.
    package var when: String
    /// What was being done: `load`, `make`, `health`, `stop`, `open`, `event`, `call`.
    package var phase: String
    /// How the process ended: `signal 11 (Segmentation fault)`, `exited by itself with 0`, `took longer than 10 s`.
    package var ending: String
    /// How often it has ended, when the last time alone was no reason: `5 crashes within 60 s`.
    package var excess: String?
    /// Where it was then, innermost first, a line for each call.
    package var backtrace: String
    /// What it wrote to both outputs.
    package var output: String

    /// In bytes, for each of the two long texts.
    package static let textLimit = 64 << 10

    /// A report of what has just happened. Of a backtrace that is too long the end is left out, of an output the beginning.
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

    /// What can be told when the report itself cannot be read.
    init(damaged digest: Digest, cause: String) {
        self.init(module: "", library: "", digest: digest, phase: "", ending: "its report cannot be read: \(cause)")
        when = ""
    }

    /// What tables show of the digest; enough to name it by.
    package var shortDigest: String { String(digest.description.prefix(12)) }

    /// Why the library is refused, as an error.
    package var refusal: ViperError {
        let name = module.isEmpty ? shortDigest : module
        let lines = backtrace.split(whereSeparator: \.isNewline).prefix(5)
        return ViperError(
            .libraryQuarantined, "cannot load library", library.isEmpty ? shortDigest : library, cause: cause,
            notes: lines.map { .init("backtrace", String($0)) } + (when.isEmpty ? [] : [.init("when", when)])
                + [.init("digest", digest.description)],
            mend: "mend the library, or try it again with host quarantine retry \(name)")
    }

    private var cause: String {
        if phase.isEmpty { return "it is quarantined; \(ending)" }
        let time =
            switch phase {
            case "load": "while it was loaded"
            case "make": "while it was made"
            case "health": "while its health was checked"
            case "open": "while a route was opened"
            case "event": "while an event was handled"
            case "stop": "while it was stopped"
            case "call": "while it was used"
            default: "in the phase \(phase)"
            }
        let last = "it \(ending.hasPrefix("signal ") ? "crashed with " : "")\(ending) \(time)"
        return "it is quarantined\(excess.map { " after \($0)" } ?? ""); \(last)"
    }
}

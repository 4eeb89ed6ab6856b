import HostSystem
import ModuleIsolation
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host quarantine`: lists the quarantined libraries, shows the report about a library, or allows a library to be
/// loaded again.
struct QuarantineCommand: Command {
    /// The word `show` or `retry`. Nil to list all entries.
    var action: String?
    /// The name of a module, or the start of a digest.
    var target: String?
    var host = HostOptions()
    var format = Format.text

    static let name = "quarantine"
    static let summary = "List libraries that crashed or hung, or allow a retry"
    static let example = "quarantine --format json"
    static let operands = [
        Operand("show|retry", \Self.action),
        Operand("DIGEST|MODULE", \Self.target),
    ]
    static let options =
        (HostOptions.inRoot + [HostOptions.state, HostOptions.verbose]).map { $0.at(\Self.host) }
        + [Format.option.at(\.format)]
    static let details =
        """
        A library is quarantined if it crashed, hung, exited or used too much memory when the host tried it. It is \
        identified by its digest, so a new build is not affected. A digest may be shortened to a unique prefix. The \
        list also has the libraries that a host which serves this root has quarantined in another state folder.

        ARGUMENTS
          show DIGEST|MODULE       Show when and how the library failed, and what it printed
          retry DIGEST|MODULE      Allow the library to be loaded again, also by the hosts that serve this root
        """

    func output() throws -> String {
        let configuration = try host.configuration()
        let quarantine = try Quarantine(configuration)
        let reports = try quarantine.all()
        switch (action, target) {
        case (nil, _): return try list(reports)
        case ("show", let target?): return try show(Self.meant(by: target, among: reports))
        case ("retry", let target?):
            let meant = try Self.meant(by: target, among: reports)
            for report in meant { try quarantine.remove(report.digest) }
            if format == .json { return try renderJSON(meant) }
            return meant.map { printable("\($0.shownName) will be retried at its next use") + "\n" }.joined()
        case (let word?, _):
            throw ViperError(
                .usage, operation: "cannot parse",
                subject: ["show", "retry"].contains(word) ? "quarantine \(word)" : word,
                cause: ["show", "retry"].contains(word)
                    ? "DIGEST or MODULE is missing" : "expected show or retry",
                fix: "write host quarantine, or host quarantine show|retry DIGEST|MODULE")
        }
    }

    /// Returns the reports about the module with this name. If there are no such reports, returns the report whose
    /// digest has this prefix.
    ///
    /// - Throws: `quarantine-unknown` if no report matches, or if several digests have the prefix.
    private static func meant(
        by name: String, among reports: [QuarantineReport]
    ) throws(ViperError) -> [QuarantineReport] {
        let ofModule = reports.filter { $0.module == name }
        if !ofModule.isEmpty, !name.isEmpty { return ofModule }
        let near = reports.filter { !name.isEmpty && $0.digest.description.hasPrefix(name.lowercased()) }
        if near.count == 1 { return near }
        if near.count > 1 {
            throw ViperError(
                .quarantineUnknown, operation: "cannot find in quarantine", subject: name,
                cause: "\(near.count) digests start with it",
                notes: near.prefix(5).map { .init("match", "\($0.digest) \($0.shownName)") },
                fix: "write more digits"
            )
        }
        throw unknownName(
            name, .quarantineUnknown, "cannot find in quarantine", "no quarantined module or digest matches",
            among: reports.map(\.module), fix: "run host quarantine to list all entries")
    }

    private func list(_ reports: [QuarantineReport]) throws -> String {
        if format == .json { return try renderJSON(reports) }
        var table = TextTable(headings: ["MODULE", "LIBRARY", "PHASE", "ENDING", "WHEN", "DIGEST"])
        for report in reports {
            let cells = [report.module, report.library, report.phase, report.ending, report.when]
            table.add(cells.map { $0.isEmpty ? "-" : $0 } + [report.shortDigest])
        }
        return Terminal.text(of: table)
    }

    private func show(_ reports: [QuarantineReport]) throws -> String {
        if format == .json { return try renderJSON(reports) }
        return reports.map { report in
            let lines =
                [
                    ("module", report.module), ("library", report.library), ("digest", report.digest.description),
                    ("phase", report.phase), ("ending", report.ending),
                ] + (report.excess.map { [("after", $0)] } ?? []) + [("when", report.when)]
            let head = lines.map { label, text in
                "\(label)\(String(repeating: " ", count: 9 - label.count))\(text.isEmpty ? "-" : printable(text))\n"
            }
            return head.joined() + Self.part("backtrace", report.backtrace) + Self.part("output", report.output)
        }.joined(separator: "\n")
    }

    private static func part(_ title: String, _ text: String) -> String {
        text.isEmpty ? "" : "\n\(title)\n" + printableLines(text.hasSuffix("\n") ? text : text + "\n")
    }
}

extension QuarantineReport {
    fileprivate var shownName: String { library.isEmpty ? shortDigest : "\(library) of \(module) (\(shortDigest))" }
}

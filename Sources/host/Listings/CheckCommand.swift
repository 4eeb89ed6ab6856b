import Glibc
import HostSystem
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host check`: performs all checks on the root that run no module's code, and fails if one finds a problem.
struct CheckCommand: Command {
    var listing = ListingOptions()

    static let name = "check"
    static let summary = "Check the whole root, and fail if there is a problem"
    static let example = "check --root ~/site"
    static let details =
        """
        The command checks the settings, all manifests, libraries, routes and services, the lock and the quarantine. It \
        runs no module's code; host test does. It exits with 1 if it finds a problem. A warning is about a library that does \
        something to the whole process. With --via, it shows the problems that \
        the serving host has found.
        """
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        let (modules, routes) = try await listing.read(
            ModuleListing.self, RouteListing.self, readsLibraries: true)
        let report = CheckReport(
            modules: modules.modules.count, routes: routes.entries.count, findings: modules.findings,
            warnings: modules.modules.flatMap { $0.warnings ?? [] })
        let text = listing.format == .json ? try renderJSON(report) : report.text
        if report.findings.isEmpty { return text }
        try Terminal.write(text, to: STDOUT_FILENO)
        throw ViperError(
            .checkFailed, operation: "cannot accept", subject: "the root",
            cause: counted(report.findings.count, "problem"))
    }
}

/// The result of `host check`. `problems` is empty if the root is in order. Warnings are no problems.
private struct CheckReport: Encodable {
    let modules: Int
    let routes: Int
    let findings: [Finding]
    let warnings: [ViperError]

    private enum CodingKeys: String, CodingKey {
        case modules, routes, warnings
        case findings = "problems"
    }

    var text: String {
        let all = warnings.map { "warning: \(printable($0))\n" } + findings.map { $0.text + "\n" }
        let end = "No problem in \(counted(modules, "module")) and \(counted(routes, "route"))\n"
        return (findings.isEmpty ? all + [end] : all).joined(separator: "\n")
    }
}

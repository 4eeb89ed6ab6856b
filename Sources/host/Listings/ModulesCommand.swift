import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host modules [MODULE]`: lists all modules with their states, and the reason for each refusal, or shows one. The command
/// reads libraries without loading them.
struct ModulesCommand: Command {
    /// The name of the module to show. Nil to list all modules.
    var module: String?
    var listing = ListingOptions()

    static let name = "modules"
    static let summary = "List all modules, their state, and the reason for each refusal, or show one"
    static let example = "modules --root ~/site"
    static let details =
        "The command checks the libraries without loading them. With --via, it also shows statistics of the modules."
    static let operands = [Operand("MODULE", \Self.module)]
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        if let module { return try await details(of: module) }
        let modules = try await listing.read(ModuleListing.self, readsLibraries: true)
        if listing.format == .json { return try renderJSON(modules) }
        // Most roots have no module that runs.
        let hasRuns = modules.modules.contains { $0.run != nil }
        var table = TextTable(
            headings: ["MODULE", "VERSION", "STATE"] + (hasRuns ? ["RUN"] : []) + ["LIBRARY", "MANIFEST"])
        for entry in modules.modules {
            table.add(
                [entry.module, entry.version ?? "-", entry.state] + (hasRuns ? [entry.run ?? "-"] : [])
                    + [entry.library ?? "-", entry.manifest])
        }
        return Terminal.text(of: table) + Self.notes(on: modules.modules, modules.findings)
            + numbers(try await statistics())
    }

    private func details(of module: String) async throws -> String {
        let (modules, routes, services) = try await listing.read(
            ModuleListing.self, RouteListing.self, ServiceListing.self, readsLibraries: true)
        let statistics = try await statistics()?.filter { $0.module == module }
        let details = try ModuleDetails(of: module, modules, routes, services, statistics)
        if listing.format == .json { return try renderJSON(details) }
        return details.tables.map(Terminal.text).joined(separator: "\n")
            + Self.notes(on: details.modules, details.modules.flatMap(\.findings))
            + numbers(statistics)
    }

    /// Returns the problems, the crashes of modules, and the providers that the settings choose for single modules.
    private static func notes(on modules: [ModuleListing.Entry], _ findings: [Finding]) -> String {
        let problems = findings.map { "\n\($0.text)\n" }
        let crashes = modules.compactMap { entry in
            entry.lastCrash.map {
                "\nlast crash of module \(printable(entry.module)) in a host's process: \(printable($0))\n"
            }
        }
        let fallbacks = modules.compactMap { entry -> String? in
            // The version in use last.
            guard let version = entry.version, let last = entry.earlier?.first, let reason = last.reason else {
                return nil
            }
            let text = "module \(entry.module): version \(version) is used, because \(last.version) \(reason)"
            return "\n\(printable(text))\n"
        }
        let choices = modules.flatMap { entry in
            (entry.choices ?? [:]).sorted { $0.key < $1.key }.map { service, provider in
                "\n" + printable("module \(entry.module) gets the service \"\(service)\" from \"\(provider)\"") + "\n"
            }
        }
        return (problems + crashes + fallbacks + choices).joined()
    }

    /// Returns statistics of the host at `--via`, or nil without `--via`.
    private func statistics() async throws(ViperError) -> [ModuleStatistics]? {
        try await listing.via.ask { host throws(ViperError) in try await host.statistics() }
    }

    /// Returns a table of statistics, or an empty string if there are none.
    private func numbers(_ statistics: [ModuleStatistics]?) -> String {
        guard let statistics else { return "" }
        let headings = [
            "MODULE", "GENERATION", "LOADS", "SCENES", "CALLS", "FAILED", "SECONDS", "RETIRED", "RETIRED MEMORY",
            "PROCESS",
        ]
        var table = TextTable(headings: headings)
        for numbers in statistics {
            table.add([
                numbers.module, numbers.generation.map { "\($0)" } ?? "-", "\(numbers.loads)", "\(numbers.openScenes)",
                "\(numbers.calls)", "\(numbers.failures)", Self.seconds(numbers.seconds),
                "\(numbers.retired)", "\(numbers.retiredMemory >> 10) KiB",
                numbers.process.map { "\($0)" } ?? (numbers.isolation == "process" ? "-" : "host"),
            ])
        }
        return "\n" + Terminal.text(of: table)
    }

    private static func seconds(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let rest = "\(thousandths % 1000)"
        return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

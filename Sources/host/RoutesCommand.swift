import ViperRuntime

/// `host routes`: lists every registered route. Loads nothing.
struct RoutesCommand {
    let options: Options

    private struct Entry: Encodable {
        var route: String
        var parameters: String
        var module: String
        /// `contested`, or the state of the module.
        var state: String
        var summary: String
        var contestedBy: [String]?
    }

    func output() throws -> String {
        let host = try options.makeHost()
        host.checkLibraries()
        if options.format == .text { try options.warnOfRefusals(host) }
        return try Self.text(of: host.registry.snapshot, options.format)
    }

    static func text(of snapshot: RegistrySnapshot, _ format: Options.Format) throws -> String {
        let entries = snapshot.routes.all.map { entry in
            let state = snapshot.module(from: entry.claimants[0])?.state.name ?? "unknown"
            return Entry(
                route: entry.route.name, parameters: entry.route.usage,
                module: entry.isContested ? "\(entry.claimants.count) modules" : entry.module,
                state: entry.isContested ? "contested" : state, summary: entry.route.summary,
                contestedBy: entry.isContested ? entry.claimants : nil)
        }
        if format == .json { return try renderJSON(entries) }
        var table = TextTable(headings: ["ROUTE", "PARAMETERS", "MODULE", "STATE", "SUMMARY"])
        for entry in entries { table.add([entry.route, entry.parameters, entry.module, entry.state, entry.summary]) }
        return table.text(Terminal.style)
    }
}

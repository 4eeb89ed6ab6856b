import ViperRuntime

/// `host routes`: lists every registered route. Loads nothing.
struct RoutesCommand {
    let options: Options

    private struct Entry: Encodable {
        var route: String
        var parameters: String
        var module: String
        var summary: String
        var contestedBy: [String]?
    }

    func output() throws -> String {
        let host = try options.makeHost()
        if options.format == .text { try options.warnOfRefusals(host) }
        return try Self.text(of: host.registry.snapshot.routes, options.format)
    }

    static func text(of routes: RouteTable, _ format: Options.Format) throws -> String {
        let entries = routes.all.map { entry in
            Entry(
                route: entry.route.name, parameters: entry.route.usage,
                module: entry.isContested ? "(contested)" : entry.module, summary: entry.route.summary,
                contestedBy: entry.isContested ? entry.claimants : nil)
        }
        if format == .json { return try renderJSON(entries) }
        var table = TextTable(headings: ["ROUTE", "PARAMETERS", "MODULE", "SUMMARY"])
        for entry in entries { table.add([entry.route, entry.parameters, entry.module, entry.summary]) }
        return table.text(Terminal.style)
    }
}

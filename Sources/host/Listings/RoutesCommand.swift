import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host routes [ROUTE]`: lists all routes, or shows one, without loading any module.
struct RoutesCommand: Command {
    /// The name of the route to show. Nil to list all routes.
    var route: String?
    var listing = ListingOptions()

    static let name = "routes"
    static let summary = "List all routes, or show one"
    static let example = "routes --format json"
    static let details =
        "The command reads no library, except for a manifest in it. A library that is missing or cannot be loaded is "
        + "refused when it is used; host modules checks all libraries."
    static let operands = [Operand("ROUTE", \Self.route)]
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        let (routes, modules) = try await listing.read(RouteListing.self, ModuleListing.self)
        if let route { return try show(route, in: routes) }
        if listing.format == .json { return try renderJSON(routes) }
        try listing.warn(ofRefusedIn: modules)
        return Self.table(of: routes).text(Terminal.style, width: Terminal.width)
    }

    static func table(of listing: RouteListing) -> TextTable {
        var table = TextTable(headings: ["ROUTE", "PARAMETERS", "MODULE", "STATE", "SUMMARY"])
        for entry in listing.entries {
            table.add([entry.route, entry.usage, entry.module, entry.state, entry.summary])
        }
        return table
    }

    private func show(_ name: String, in routes: RouteListing) throws -> String {
        guard let entry = routes.entries.first(where: { $0.route == name }) else {
            throw unknownName(
                name, .routeUnknown, "cannot show route", "no module provides it", among: routes.entries.map(\.route),
                fix: "run host routes to list all routes")
        }
        let details = RouteDetails(entry: entry)
        return listing.format == .json ? try renderJSON(details) : Terminal.text(of: details.table)
    }
}

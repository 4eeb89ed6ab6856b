import ModuleRuntime
import ViperRuntime

/// `host routes`: lists all routes without loading any module.
struct RoutesCommand: Command {
    var listing = ListingOptions()

    static let name = "routes"
    static let summary = "List all routes"
    static let example = "routes --format json"
    static let details =
        "The command reads no library, except for a manifest in it. A library that is missing or cannot be loaded is "
        + "refused when it is used; host modules checks all libraries."
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        let (routes, refused) = try await listing.read(RouteListing.self)
        if listing.format == .json { return try renderJSON(routes) }
        try listing.warn(ofRefused: refused)
        return Self.text(of: routes)
    }

    static func text(of listing: RouteListing) -> String {
        var table = TextTable(headings: ["ROUTE", "PARAMETERS", "MODULE", "STATE", "SUMMARY"])
        for entry in listing.entries {
            table.add([entry.route, entry.parameters, entry.module, entry.state, entry.summary])
        }
        return table.text(Terminal.style)
    }
}

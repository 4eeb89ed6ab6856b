import ModuleRuntime
import ViperRuntime

/// `host routes`: lists all routes without loading any module.
struct RoutesCommand {
    let options: Options

    func output() async throws -> String {
        let (listing, refused) = try await options.listing(RouteListing.self)
        if options.format == .json { return try renderJSON(listing) }
        try options.warn(ofRefused: refused)
        return Self.text(of: listing)
    }

    static func text(of listing: RouteListing) -> String {
        var table = TextTable(headings: ["ROUTE", "PARAMETERS", "MODULE", "STATE", "SUMMARY"])
        for entry in listing.entries {
            table.add([entry.route, entry.parameters, entry.module, entry.state, entry.summary])
        }
        return table.text(Terminal.style)
    }
}

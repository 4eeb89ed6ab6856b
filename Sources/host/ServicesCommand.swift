import ViperRuntime

/// `host services`: lists every service, who provides it and who requires it. Loads nothing.
struct ServicesCommand {
    let options: Options

    func output() async throws -> String {
        let listing = try await options.listing(ServiceListing.self).0
        if options.format == .json { return try renderJSON(listing) }
        var table = TextTable(headings: ["SERVICE", "PROVIDED BY", "REQUIRED BY"])
        for entry in listing.entries {
            let providers = entry.providedBy.isEmpty ? "(nobody)" : entry.providedBy.joined(separator: ", ")
            table.add([entry.service, providers, entry.requiredBy.joined(separator: ", ")])
        }
        return table.text(Terminal.style)
    }
}

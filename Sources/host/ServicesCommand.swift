import ViperRuntime

/// `host services`: lists every service, who provides it and who requires it. Loads nothing.
struct ServicesCommand {
    let options: Options

    private struct Entry: Encodable {
        var service: String
        var providedBy: [String]
        var requiredBy: [String]
    }

    func output() throws -> String {
        let host = try options.makeHost()
        let entries = host.registry.snapshot.services.map { service in
            Entry(service: service.name, providedBy: service.providers, requiredBy: service.consumers)
        }
        if options.format == .json { return try renderJSON(entries) }
        var table = TextTable(headings: ["SERVICE", "PROVIDED BY", "REQUIRED BY"])
        for entry in entries {
            let providers = entry.providedBy.isEmpty ? "(nobody)" : entry.providedBy.joined(separator: ", ")
            table.add([entry.service, providers, entry.requiredBy.joined(separator: ", ")])
        }
        return table.text(Terminal.style)
    }
}

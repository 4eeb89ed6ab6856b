import HostSystem
import ModuleRuntime
import ViperRuntime

/// `host services`: lists all services, their providers, and the modules that require them. The command does not load
/// any module.
struct ServicesCommand {
    let options: Options

    func output() async throws -> String {
        let listing = try await options.listing(ServiceListing.self).0
        if options.format == .json { return try renderJSON(listing) }
        var table = TextTable(headings: ["SERVICE", "PROVIDED BY", "REQUIRED BY"])
        for entry in listing.entries {
            let providers = entry.providedBy.map { name in
                entry.providedBy.count > 1 && name == entry.selected ? "\(name) (selected)" : name
            }
            table.add([
                entry.service, providers.isEmpty ? "(none)" : providers.joined(separator: ", "),
                entry.requiredBy.joined(separator: ", "),
            ])
        }
        let withheld = listing.entries.flatMap { entry in
            (entry.withheld ?? [:]).sorted { $0.key < $1.key }.map {
                Self.text(of: entry.service, withheldFrom: $0, $1)
            }
        }
        return table.text(Terminal.style) + withheld.joined()
    }

    static func text(of service: String, withheldFrom module: String, _ cause: String) -> String {
        "\n" + printable("service \"\(service)\" is withheld from module \(module): \(cause)") + "\n"
    }
}

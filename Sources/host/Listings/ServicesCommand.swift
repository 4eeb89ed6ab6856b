import HostSystem
import ModuleRuntime
import ViperRuntime

/// `host services`: lists all services, their providers, and the modules that require them. The command does not load
/// any module.
struct ServicesCommand: Command {
    var listing = ListingOptions()

    static let name = "services"
    static let summary = "List all services and the modules that provide or require them"
    static let example = "services"
    static let details = RoutesCommand.details
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        let services = try await listing.read(ServiceListing.self)
        if listing.format == .json { return try renderJSON(services) }
        var table = TextTable(headings: ["SERVICE", "PROVIDED BY", "REQUIRED BY"])
        for entry in services.entries {
            let providers = entry.providedBy.map { name in
                entry.providedBy.count > 1 && name == entry.selected ? "\(name) (selected)" : name
            }
            let consumers = entry.requiredBy.map { name in entry.choices?[name].map { "\(name) (from \($0))" } ?? name }
            table.add([
                entry.service, providers.isEmpty ? "(none)" : providers.joined(separator: ", "),
                (consumers + (entry.collectedBy ?? []).map { "\($0) (all)" }).joined(separator: ", "),
            ])
        }
        let withheld = services.entries.flatMap { entry in
            (entry.withheld ?? [:]).sorted { $0.key < $1.key }.map {
                Self.text(of: entry.service, withheldFrom: $0, $1)
            }
        }
        return Terminal.text(of: table) + withheld.joined()
    }

    static func text(of service: String, withheldFrom module: String, _ cause: String) -> String {
        "\n" + printable("service \"\(service)\" is withheld from module \(module): \(cause)") + "\n"
    }
}

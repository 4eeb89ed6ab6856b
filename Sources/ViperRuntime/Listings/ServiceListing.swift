import ModuleRuntime
import ViperKit

/// A list of all services with their providers and the modules that use them.
package struct ServiceListing: Listing {
    package struct Entry: Codable, Sendable, Equatable {
        /// The service's name.
        package var service: String
        /// The names of the providers, as `--use` accepts them. `host` stands for the host itself if no module can
        /// replace it.
        package var providedBy: [String]
        /// The provider from which modules without a choice of their own get the service. Nil if no provider is usable, or
        /// if several usable providers arrived at the same time.
        package var selected: String?
        /// The modules that require the service or list it as optional.
        package var requiredBy: [String]
        /// The modules that use all providers of the service. Nil if there is none.
        package var collectedBy: [String]?
        /// The providers of the modules that get the service from another provider than the rest, keyed by module name.
        package var choices: [String: String]?
        /// The reasons for withholding the service from modules that list it as optional, keyed by module name.
        package var withheld: [String: String]?
    }

    package static var method: String { "services" }

    /// The services, sorted by name.
    package var entries: [Entry]

    package init(of host: ViperHost) {
        entries = host.registry.snapshot.services.map { service in
            Entry(
                service: service.name, providedBy: service.providers, selected: service.selected,
                requiredBy: service.consumers,
                collectedBy: service.collectors.isEmpty ? nil : service.collectors,
                choices: service.choices.isEmpty ? nil : service.choices,
                withheld: service.withheld.isEmpty ? nil : service.withheld.mapValues(\.cause))
        }
    }

    package init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

    package func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}

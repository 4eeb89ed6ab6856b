import ModuleRuntime
import ViperKit

/// A list of all services with their providers and the modules that use them.
public struct ServiceListing: Listing {
    public struct Entry: Codable, Sendable, Equatable {
        /// The service's name.
        public var service: String
        /// The names of the providers, as `--use` accepts them. `host` stands for the host itself if no module can
        /// replace it.
        public var providedBy: [String]
        /// The provider from which modules get the service. Nil if no provider is usable, or if several usable
        /// providers arrived at the same time.
        public var selected: String?
        /// The modules that require the service or list it as optional.
        public var requiredBy: [String]
        /// The reasons for withholding the service from modules that list it as optional, keyed by module name.
        public var withheld: [String: String]?
    }

    public static var method: String { "services" }

    /// The services, sorted by name.
    public var entries: [Entry]

    public init(of host: ViperHost) {
        entries = host.registry.snapshot.services.map { service in
            Entry(
                service: service.name, providedBy: service.providers, selected: service.selected,
                requiredBy: service.consumers,
                withheld: service.withheld.isEmpty ? nil : service.withheld.mapValues(\.cause))
        }
    }

    public init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

    public func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}

import ModuleRuntime
import ViperKit

/// Every service: who provides it and who requires it.
public struct ServiceListing: Listing {
    /// One service.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its name.
        public var service: String
        /// The names of its providers, as `--use` takes them. `host` stands for the host itself where no module can be chosen instead.
        public var providedBy: [String]
        /// The provider that modules get it from, if there is one.
        public var selected: String?
        /// The modules that require it.
        public var requiredBy: [String]
        /// Why some of these modules go without it, by their names.
        public var withheld: [String: String]?
    }

    public static var method: String { "services" }

    /// Sorted by name.
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

/// Every service: who provides it and who requires it.
public struct ServiceListing: Listing {
    /// One service.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its name.
        public var service: String
        /// The modules that provide it; `host` stands for the host itself.
        public var providedBy: [String]
        /// The modules that require it.
        public var requiredBy: [String]
    }

    public static var method: String { "services" }

    /// Sorted by name.
    public var entries: [Entry]

    public init(of host: ViperHost) {
        entries = host.registry.snapshot.services.map { service in
            Entry(service: service.name, providedBy: service.providers, requiredBy: service.consumers)
        }
    }

    public init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

    public func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}

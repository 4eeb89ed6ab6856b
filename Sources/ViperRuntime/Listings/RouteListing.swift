import ModuleCatalog
public import ModuleRuntime

/// Every registered route.
public struct RouteListing: Listing {
    /// One route.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its name.
        public var route: String
        /// Its parameters as help shows them.
        public var parameters: String
        /// The name of the module that answers it, or how many claim it.
        public var module: String
        /// `contested`, or the state of the module.
        public var state: String
        /// What it shows, in the manifest's words.
        public var summary: String
        /// The manifest files of those that claim it, when there are several.
        public var contestedBy: [String]?
    }

    public static var method: String { "routes" }

    /// Sorted by name.
    public var entries: [Entry]

    public init(of host: ViperHost) { self.init(of: host.registry.snapshot) }

    /// The routes at one moment.
    public init(of snapshot: RegistrySnapshot) {
        entries = snapshot.routes.all.map { entry in
            let state = snapshot.module(from: entry.claimants[0])?.state.name ?? "unknown"
            return Entry(
                route: entry.route.name, parameters: entry.route.usage,
                module: entry.isContested ? "\(entry.claimants.count) modules" : entry.module,
                state: entry.isContested ? "contested" : state, summary: entry.route.summary,
                contestedBy: entry.isContested ? entry.claimants : nil)
        }
    }

    public init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

    public func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}

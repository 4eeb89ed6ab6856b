public import ViperKit

/// Every module with its state, and why one is refused.
public struct ModuleListing: Listing {
    /// One module.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its name.
        public var module: String
        /// Its version, when the manifest could be read.
        public var version: String?
        /// Its state in one word.
        public var state: String
        /// The file name of its library.
        public var library: String?
        /// Its manifest's file.
        public var manifest: String
        /// Why it is refused, when it is.
        public var refusal: ViperError?
    }

    public static var method: String { "modules" }

    /// Sorted by name.
    public var modules: [Entry]
    /// Libraries in `Plugins/` that no manifest mentions.
    public var strayLibraries: [String]

    /// The names of those that are refused.
    public var refused: [String] { modules.filter { $0.refusal != nil }.map(\.module) }

    public init(of host: ViperHost) {
        strayLibraries = host.strayLibraries
        modules = host.registry.snapshot.modules.map { record in
            Entry(
                module: record.name, version: record.manifest?.version, state: record.state.name,
                library: record.manifest?.library, manifest: record.file, refusal: record.state.refusal)
        }
    }
}

import ModuleCatalog
import ModuleRuntime
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
        /// Why what was last put in its place was not taken, while it stays as it is.
        public var rejection: ViperError?
        /// The routes of its manifest that it does not get, and the modules that had them before it.
        public var lostRoutes: [String: String]?
        /// Why it goes without some of its optional services, by their names.
        public var withheld: [String: String]?
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
        let snapshot = host.registry.snapshot
        modules = snapshot.modules.map { record in
            let lost = snapshot.lostRoutes(of: record).map { ($0.route.name, $0.module) }
            let withheld = snapshot.withheldServices(from: record).mapValues(\.cause)
            return Entry(
                module: record.name, version: record.manifest?.version, state: record.state.name,
                library: record.manifest?.library, manifest: record.file, refusal: record.state.refusal,
                rejection: record.rejection, lostRoutes: lost.isEmpty ? nil : Dictionary(lost) { first, _ in first },
                withheld: withheld.isEmpty ? nil : withheld)
        }
    }
}

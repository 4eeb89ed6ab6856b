import ModuleCatalog
import ModuleRuntime
public import ViperKit

/// All modules with their states and errors.
public struct ModuleListing: Listing {
    public struct Entry: Codable, Sendable, Equatable {
        /// The module's name.
        public var module: String
        /// The module's version, if the manifest could be read.
        public var version: String?
        /// The module's state in one word.
        public var state: String
        /// The file name of the module's library.
        public var library: String?
        /// The file that contains the module's manifest.
        public var manifest: String
        /// The reason why the module is refused, if it is.
        public var refusal: ViperError?
        /// The reason why the last change was rejected, if it was. The module continues to run unchanged.
        public var rejection: ViperError?
        /// The routes that the module's manifest declares but other modules claimed first, with the names of these
        /// modules.
        public var lostRoutes: [String: String]?
        /// The reasons why optional services are withheld from the module, by the names of the services.
        public var withheld: [String: String]?
    }

    public static var method: String { "modules" }

    /// The modules, sorted by name.
    public var modules: [Entry]
    /// The libraries in `Plugins/` that belong to no module.
    public var unreferencedLibraries: [String]

    /// The names of the modules that are refused.
    public var refused: [String] { modules.filter { $0.refusal != nil }.map(\.module) }

    public init(of host: ViperHost) {
        unreferencedLibraries = host.unreferencedLibraries
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

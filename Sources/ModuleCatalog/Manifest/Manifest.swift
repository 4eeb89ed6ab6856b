/// The description of a module, which the host reads without running the module.
///
/// `Manifests/module.schema.json` defines the format. A manifest that was read is valid: names follow their grammar,
/// defaults have their parameter's type, and no list contains a name twice.
public struct Manifest: Sendable, Equatable {
    /// The module's name, unique in the host: `company-list`.
    public var name: String
    /// The module's own semantic version.
    public var version: String
    /// The file name of the module's library, in `Plugins/` or in the folder of the host's executable.
    public var library: String
    /// The version of ViperKit for which the module was built.
    public var sdk: SDKVersion
    /// The routes of the module.
    public var routes: [Route]
    /// The names of the services that the module needs.
    public var requires: [String]
    /// The names of the services that the module uses if they are available.
    public var optional: [String]
    /// The names of the services that the module provides.
    public var provides: [String]
    /// The folder of the module's resources, relative to `Plugins/`.
    public var resources: String?
    /// The keys of the module's configuration.
    public var config: [Parameter]
    public var isolation: Isolation

    /// The process in which a module's code runs.
    public enum Isolation: String, Sendable, CaseIterable {
        /// The host's own process.
        case none
        /// A separate process, which can crash without affecting the host.
        case process
    }

    public struct Route: Sendable, Equatable {
        /// The route's name, unique in the host: `people/add`.
        public var name: String
        /// A one-line description.
        public var summary: String
        /// The parameters with which the route can be opened.
        public var parameters: [Parameter]
    }

    /// A parameter of a route, or a key of a configuration.
    public struct Parameter: Sendable, Equatable {
        /// The parameter's name: `olderThan`.
        public var name: String
        public var type: ParameterType
        /// The rule for omitting the parameter.
        public var presence: Presence
        /// A one-line description.
        public var summary: String
    }
}

public struct SDKVersion: Sendable, Equatable, CustomStringConvertible {
    /// The major version. A host runs only modules with its own major version.
    public var major: Int
    /// The minor version. A host refuses modules with a later minor version.
    public var minor: Int

    /// Parses a version. Returns nil if the text is not `MAJOR.MINOR`.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(isVersionNumber), let major = Int(parts[0]), let minor = Int(parts[1])
        else { return nil }
        (self.major, self.minor) = (major, minor)
    }

    /// Returns true if a host with this version can run a module that was built for another version.
    public func runs(_ module: SDKVersion) -> Bool { major == module.major && minor >= module.minor }

    public var description: String { "\(major).\(minor)" }
}

/// What a module says of itself without being run.
///
/// The format is `Manifests/module.schema.json`. A manifest that was read is valid: every name is in its grammar, every
/// default has its parameter's type, and no name stands twice.
public struct Manifest: Sendable, Equatable {
    /// The module's name, unique in the host: `company-list`.
    public var name: String
    /// The module's own version, a semantic version.
    public var version: String
    /// The file name of its shared library, searched for in `Plugins/` and beside the host.
    public var library: String
    /// The version of ViperKit that it was built for.
    public var sdk: SDKVersion
    /// The routes that it answers.
    public var routes: [Route]
    /// The names of the services that it needs.
    public var requires: [String]
    /// The names of the services that it uses when there are any.
    public var optional: [String]
    /// The names of the services that it offers.
    public var provides: [String]
    /// The folder of its resources, relative to `Plugins/`.
    public var resources: String?
    /// The keys of its configuration.
    public var config: [Parameter]
    /// Where its code runs.
    public var isolation: Isolation

    /// Where a module's code runs.
    public enum Isolation: String, Sendable, CaseIterable {
        /// In the host's own process.
        case none
        /// In a process of its own, which can end without the host.
        case process
    }

    /// One route.
    public struct Route: Sendable, Equatable {
        /// The route's name, unique in the host: `people/add`.
        public var name: String
        /// What it does, in a line.
        public var summary: String
        /// What can be said when it is opened.
        public var parameters: [Parameter]
    }

    /// One parameter of a route, or one key of a configuration.
    public struct Parameter: Sendable, Equatable {
        /// The parameter's name: `olderThan`.
        public var name: String
        /// What type its value has.
        public var type: ParameterType
        /// Whether it has to be given.
        public var presence: Presence
        /// What it does, in a line.
        public var summary: String
    }
}

/// A version of ViperKit.
public struct SDKVersion: Sendable, Equatable, CustomStringConvertible {
    /// Modules of another major version do not run.
    public var major: Int
    /// Modules of a later minor version do not run.
    public var minor: Int

    /// `MAJOR.MINOR`, or nil when the text is something else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(isVersionNumber), let major = Int(parts[0]), let minor = Int(parts[1])
        else { return nil }
        (self.major, self.minor) = (major, minor)
    }

    /// Whether a host with this version runs a module that was built for another.
    public func runs(_ module: SDKVersion) -> Bool { major == module.major && minor >= module.minor }

    public var description: String { "\(major).\(minor)" }
}

/// A description of a module. The host reads it without running the module.
///
/// `Manifests/module.schema.json` defines the format. A decoded manifest is always valid: names match their grammar,
/// default values match the types of their parameters, and no list contains a name twice.
package struct Manifest: Sendable, Equatable {
    /// The kind of library that the manifest describes.
    package var kind: Kind
    /// The module's name, such as `company-list`. The name is unique in the host.
    package var name: String
    /// The module's semantic version.
    package var version: String
    /// The file name of the module's library. The library is in `Plugins/` or in the folder of the host's executable.
    package var library: String
    /// The version of ViperKit for which the module was built.
    package var sdk: InterfaceVersion
    /// The module's routes.
    package var routes: [Route]
    /// The names of the services that the module needs.
    package var requires: [String]
    /// The names of the services that the module uses if they are available.
    package var optional: [String]
    /// The names of the services of which the module uses all providers.
    package var collects: [String]
    /// The names of the services that the module provides.
    package var provides: [String]
    /// The folder with the module's resources, relative to `Plugins/`. Nil if the module has no resources.
    package var resources: String?
    /// The keys of the module's configuration.
    package var config: [Parameter]
    /// The process in which the module's code runs.
    package var isolation: Isolation
    /// The contributions of the module to other modules, keyed by the name of their point, such as `menu`. Each
    /// contribution is a JSON text with sorted keys. The host passes contributions on without interpreting them.
    package var contributes: [String: [String]]
    /// The contracts that the module uses, with the versions for which it was built, keyed by the contract's name.
    package var contracts: [String: InterfaceVersion]
    /// The hosts that call the module's `run()`.
    package var runs: Runs
    /// The routes of other modules that the module navigates to. The element `*` stands for any route.
    package var opens: [String]

    /// Returns true if the module declares that it navigates to a route. A module may open its own routes undeclared.
    package func mayOpen(_ route: String) -> Bool {
        opens.contains { $0 == route || $0 == "*" } || routes.contains { $0.name == route }
    }

    /// A kind of library.
    package enum Kind: String, Sendable, CaseIterable {
        /// The library contains a module.
        case module
        /// The library contains only declarations that modules share. It has no entry, routes or services.
        case contract
    }

    /// The hosts that call a module's `run()`.
    package enum Runs: String, Sendable, CaseIterable {
        /// No host.
        case never
        /// A serving host.
        case serving
        /// A serving host whose settings give the module a value.
        case configured
        /// A serving host and `host run`.
        case always
    }

    /// The process in which a module's code runs.
    package enum Isolation: String, Sendable, CaseIterable {
        /// The module runs in the host's process.
        case none
        /// The module runs in a separate process, which can crash without affecting the host.
        case process
    }

    /// A route of a module.
    package struct Route: Sendable, Equatable {
        /// The route's name, such as `people/add`. The name is unique in the host.
        package var name: String
        /// A one-line description of the route.
        package var summary: String
        /// The route's parameters.
        package var parameters: [Parameter]
    }

    /// A parameter of a route, or a key in a configuration.
    package struct Parameter: Sendable, Equatable {
        /// The parameter's name, such as `olderThan`.
        package var name: String
        /// The type of the parameter's values.
        package var type: ParameterType
        /// A value that indicates whether the parameter may be omitted.
        package var presence: Presence
        /// A one-line description of the parameter.
        package var summary: String
    }
}

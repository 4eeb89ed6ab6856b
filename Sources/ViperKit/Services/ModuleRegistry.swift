/// The modules of the host, with their states, routes and contributions. A module can only read it.
///
/// Each method returns the state at the time of the call. ``changes()`` tells when to call it again:
///
/// ```swift
/// for await _ in registry.changes() {
///     show(try await registry.contributions(to: "menu", as: MenuEntry.self))
/// }
/// ```
///
/// A module that requires this service cannot run in a process of its own.
public protocol ModuleRegistry: Sendable {
    /// Returns all modules, sorted by name.
    func modules() async throws(ViperError) -> [ListedModule]

    /// Returns all routes that can be opened, sorted by name.
    func routes() async throws(ViperError) -> [ListedRoute]

    /// Returns what the usable modules contribute to a point, sorted by module name, and within a module in the order of
    /// its manifest.
    ///
    /// - Parameters:
    ///   - point: The name of the point, such as `menu`.
    ///   - type: The type of the values. A contribution that is no value of this type has an error in its place.
    func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type
    ) async throws(ViperError) -> [Contribution<Value>]

    /// Returns a sequence with an element now, and after later changes of the registry. One element may stand for many
    /// changes, because elements that were not read yet are dropped.
    func changes() -> AsyncStream<Void>
}

extension ServiceKey where Service == any ModuleRegistry {
    /// The registry, named `registry` in manifests. The host provides this service.
    public static var registry: Self { Self("registry") }
}

/// A module in the host's registry.
public struct ListedModule: Sendable, Equatable {
    /// The state of a module. The host of a later version may use states that this version does not know.
    public struct State: RawRepresentable, Sendable, Hashable {
        /// The state's name, as `host modules` shows it.
        public let rawValue: String

        /// Creates a state from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The manifest is valid.
        public static let discovered = Self(rawValue: "discovered")
        /// Each required service has a provider. The module is not loaded.
        public static let resolved = Self(rawValue: "resolved")
        /// The module is loaded.
        public static let active = Self(rawValue: "active")
        /// The module was taken out of service. Its open scenes continue.
        public static let retired = Self(rawValue: "retired")
        /// The module cannot be used.
        public static let refused = Self(rawValue: "refused")
    }

    /// The module's name.
    public var name: String
    /// The module's version. Nil if its manifest cannot be read.
    public var version: String?
    /// The module's state.
    public var state: State
    /// The error that makes the module unusable, or that keeps the host from using its newer version. Nil if there is
    /// none.
    public var error: ViperError?
    /// The state of the module's work without a screen, as `host modules` shows it: `idle`, `running`, `restarting`,
    /// `finished` or `failed`. Nil if the module has no such work.
    public var run: String?

    /// Creates a module for a test.
    public init(name: String, version: String?, state: State, error: ViperError?, run: String? = nil) {
        (self.name, self.version, self.state, self.error, self.run) = (name, version, state, error, run)
    }
}

/// A route in the host's registry.
public struct ListedRoute: Sendable, Equatable {
    /// The route's name.
    public var name: String
    /// The description of the route in one line.
    public var summary: String
    /// The name of the module that provides the route.
    public var module: String

    /// Creates a route for a test.
    public init(name: String, summary: String, module: String) {
        (self.name, self.summary, self.module) = (name, summary, module)
    }
}

/// A value that a module contributes to a point.
public struct Contribution<Value: Sendable>: Sendable {
    /// The name of the contributing module.
    public var module: String
    /// The value. An error if the module's manifest contains a value of another type.
    public var value: Result<Value, ViperError>

    /// Creates a contribution for a test.
    public init(module: String, value: Result<Value, ViperError>) { (self.module, self.value) = (module, value) }
}

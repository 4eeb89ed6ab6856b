/// The modules of the host, with their states, routes, services and contributions. A module can only read it.
///
/// Each method returns the state at the time of the call. ``changes()`` tells when to call it again:
///
/// ```swift
/// for await _ in registry.changes() {
///     show(try await registry.contributions(to: "menu", as: MenuEntry.self))
/// }
/// ```
///
/// In a module that runs in a process of its own, each method asks the host.
public protocol ModuleRegistry: Sendable {
    /// Returns all modules, sorted by name.
    func modules() async throws(ViperError) -> [ListedModule]

    /// Returns all routes that can be opened, sorted by name.
    func routes() async throws(ViperError) -> [ListedRoute]

    /// Returns all services, sorted by name.
    func services() async throws(ViperError) -> [ListedService]

    /// Returns what the usable modules contribute to a point, sorted by module name, and within a module in the order of
    /// its manifest.
    ///
    /// - Parameters:
    ///   - point: The name of the point, such as `menu`.
    ///   - type: The type of the values. A contribution that is no value of this type has an error in its place.
    func contributions<Value: Decodable & Sendable>(
        to point: String, as type: Value.Type
    ) async throws(ViperError) -> [Contribution<Value>]

    /// Returns a sequence with an element now, and after later changes of the registry, such as a module that is added or
    /// whose ``Module/run()`` ends. A change of a module's statistics is none. One element may stand for many
    /// changes, because elements that were not read yet are dropped.
    func changes() -> AsyncStream<Void>

    /// Returns what the host measures: the calls, failures and durations by route, and the scenes, generations, memory and
    /// states of the modules.
    ///
    /// The text has the format of OpenMetrics 1.0
    /// (https://prometheus.io/docs/specs/om/open_metrics_spec). A registry that measures nothing has no metrics.
    func metrics() async throws(ViperError) -> String

    /// Returns a picture of the modules and of what each needs from others, as SVG. A registry that draws nothing has an
    /// empty picture.
    func graph() async throws(ViperError) -> String
}

extension ModuleRegistry {
    /// Returns the text without metrics.
    public func metrics() async throws(ViperError) -> String { "# EOF\n" }

    /// Returns an empty picture.
    public func graph() async throws(ViperError) -> String {
        #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#
    }
}

extension ServiceKey where Service == any ModuleRegistry {
    /// The registry, named `registry` in manifests. The host provides this service.
    public static var registry: Self { Self("registry") }
}

/// A module in the host's registry.
public struct ListedModule: Sendable, Equatable, Codable {
    /// The state of a module. The host of a later version may use states that this version does not know.
    public struct State: RawRepresentable, Sendable, Hashable, Codable {
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

    /// The use of a module since the host was started, in all its generations.
    public struct Statistics: Sendable, Equatable, Codable {
        /// The number of calls. A call opens a scene, loads a scene, or handles an event.
        public var calls = 0
        /// The number of calls that threw an error.
        public var failures = 0
        /// The total duration of all calls, including the time that they spend waiting.
        public var time = Duration.zero
        /// The number of scenes that are open now.
        public var openScenes = 0
        /// The number of times that the library was loaded or a worker was started.
        public var loads = 0

        /// Creates the statistics of a module that was not used.
        public init() {}
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
    /// The state of the module's work without a screen, as `host modules` shows it: `idle`, `starting`, `running`,
    /// `restarting`, `finished` or `failed`. Nil if the module has no such work.
    public var run: String?
    /// The use of the module. Reading it again may give other numbers without a change of the registry.
    public var statistics = Statistics()

    /// Creates a module for a test.
    public init(name: String, version: String?, state: State, error: ViperError?, run: String? = nil) {
        (self.name, self.version, self.state, self.error, self.run) = (name, version, state, error, run)
    }
}

/// A route in the host's registry.
public struct ListedRoute: Sendable, Equatable, Codable {
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

/// A service in the host's registry.
public struct ListedService: Sendable, Equatable, Codable {
    /// The service's name.
    public var name: String
    /// The name of the provider from which modules get the service. `host` stands for the host itself if no module can
    /// replace it. Nil if no provider is usable, or if the settings must choose one.
    public var selected: String?
    /// The names of all providers, including those that are not usable.
    public var providers: [String]
    /// The names of the modules that require the service or list it as optional.
    public var consumers: [String]
    /// The names of the modules that use all providers of the service.
    public var collectors: [String] = []
    /// The providers of the modules that get the service from another provider than the rest, keyed by module name.
    public var choices: [String: String] = [:]

    /// Creates a service for a test.
    public init(name: String, selected: String?, providers: [String], consumers: [String]) {
        (self.name, self.selected, self.providers, self.consumers) = (name, selected, providers, consumers)
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

/// A guard of routes. It decides who may open them, and can take back what it has allowed.
///
/// A module that provides the service `route-guard` guards the routes that `guards` in `host.json` names for it. A route
/// that no guard watches opens as if there were none.
public protocol RouteGuard: Sendable {
    /// Decides whether a route may open. The host asks again each time that the route is opened.
    ///
    /// The route stays shut if this method throws, or does not return within five seconds.
    ///
    /// - Parameter opening: The route that is about to open.
    func decide(on opening: GuardedOpening) async throws -> RouteDecision

    /// Returns a sequence of what this guard takes back. The host reads it while scenes are open that this guard has
    /// allowed, and closes them. The host calls this method before the first decision, within the same five seconds.
    func revocations() -> AsyncStream<Revocation>
}

extension RouteGuard {
    /// Returns an empty sequence.
    public func revocations() -> AsyncStream<Revocation> { AsyncStream { $0.finish() } }
}

extension ServiceKey where Service == any RouteGuard {
    /// A guard of routes, named `route-guard` in manifests. Modules provide this service.
    public static var routeGuard: Self { Self("route-guard") }
}

/// A route that is about to open.
public struct GuardedOpening: Sendable, Equatable {
    /// The route's name.
    public var route: String
    /// The route's parameters, with the manifest's defaults.
    public var parameters: [String: ParameterValue]
    /// The identity of the window. See ``Navigator/identity``.
    public var identity: String

    /// Creates an opening for a test.
    public init(route: String, parameters: [String: ParameterValue], identity: String) {
        (self.route, self.parameters, self.identity) = (route, parameters, identity)
    }
}

/// The decision of a guard.
public struct RouteDecision: Sendable, Equatable {
    /// The effect on the route.
    @frozen
    @_spi(Host)
    public enum Outcome: Sendable, Equatable {
        /// The route opens.
        case allow
        /// The route stays shut, for a reason that the user reads.
        case refuse(reason: String)
        /// Another route opens first. When its scene closes with a result, the host asks again and opens the route in
        /// its place. If it closes without a result, the route stays shut.
        case lead(route: String)
    }

    /// The effect on the route.
    @_spi(Host) public let outcome: Outcome

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// Lets the route open.
    public static var allow: Self { Self(.allow) }

    /// Keeps the route shut.
    ///
    /// - Parameter reason: A clause that the user reads, such as `your account has expired`.
    public static func refuse(because reason: String) -> Self { Self(.refuse(reason: reason)) }

    /// Opens another route first, such as a login.
    ///
    /// - Parameter route: The route's name. Parameters may follow it, as in `login?returns=true`.
    public static func lead(to route: String) -> Self { Self(.lead(route: route)) }
}

/// A withdrawal of everything that a guard has allowed to an identity. The host closes these scenes.
public struct Revocation: Sendable, Equatable {
    /// The identity whose scenes close.
    public var identity: String
    /// A clause that tells the user why, such as `you have logged out`.
    public var reason: String

    /// Creates a revocation.
    public init(identity: String, reason: String) { (self.identity, self.reason) = (identity, reason) }
}

import ViperKit

/// The module's configuration.
struct GuardSettings: Decodable, Sendable {
    /// The reason why the guarded routes stay shut. Nil if they open.
    var reason: String?
}

/// A guard that keeps all routes shut while the configuration has a reason.
///
/// The opening has the window's identity, which tells users apart. `.lead(to:)` opens another route first, such as a
/// login. `revocations()` closes scenes that are already open.
struct ClosingGuard: RouteGuard {
    let settings: GuardSettings

    func decide(on opening: GuardedOpening) async throws -> RouteDecision {
        if let reason = settings.reason { return .refuse(because: reason) }
        return .allow
    }
}

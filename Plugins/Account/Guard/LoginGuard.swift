import ViperKit

/// A guard that lets only logged-in users through, and leads the others to the login form.
struct LoginGuard: RouteGuard {
    let sessions: AccountSessions

    func decide(on opening: GuardedOpening) async throws -> RouteDecision {
        if try await sessions.session(of: opening.identity) != nil { return .allow }
        return .lead(to: "\(LoginRoute.route)?returns=true")
    }

    func revocations() -> AsyncStream<Revocation> { sessions.revocations() }
}

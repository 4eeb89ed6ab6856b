import ViperKit

/// A guard that lets only logged-in users through, and leads the others to the login form.
struct LoginGuard: RouteGuard {
    let sessions: AccountSessions

    func decide(on opening: GuardedOpening) async throws -> RouteDecision {
        if try await sessions.userName(of: opening.identity) != nil { return .allow }
        return .lead(to: "\(LoginRoute.route)?returns=true")
    }

    func revocations() -> AsyncStream<Revocation> {
        let (revocations, continuation) = AsyncStream.makeStream(of: Revocation.self)
        let task = Task {
            for await revocation in await sessions.revocations() { continuation.yield(revocation) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return revocations
    }
}

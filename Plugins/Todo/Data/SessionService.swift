import ViperKit

/// The service `session` of the module `account`, if it is installed. For the identity of a window, the function returns
/// the name of the logged-in user and a client for the user's requests, or nil if nobody is logged in.
typealias SessionService =
    @Sendable (_ identity: String) async throws -> (userName: String, client: any HTTPClient)?

extension ServiceKey where Service == SessionService {
    static var session: Self { Self("session") }
}

/// The service `session-changes` of the module `account`, if it is installed. The function returns a sequence of the
/// identities whose users log in or out from now on.
typealias SessionChanges = @Sendable () -> AsyncStream<String>

extension ServiceKey where Service == SessionChanges {
    static var sessionChanges: Self { Self("session-changes") }
}

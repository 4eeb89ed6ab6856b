import ViperKit

/// The service `session`, with which other modules send requests in the name of a logged-in user. It consists of types
/// of the standard library and of ViperKit, so that other modules can declare it too.
///
/// The function takes the identity of a window. It returns the name of the user, and a client that adds the user's token
/// to requests to the server of the login. It returns nil if nobody is logged in.
typealias SessionService =
    @Sendable (_ identity: String) async throws -> (userName: String, client: any HTTPClient)?

extension ServiceKey where Service == SessionService {
    static var session: Self { Self("session") }
}

/// The service `session-changes`. The function returns a sequence of the identities whose users log in or out from now
/// on, in this process.
typealias SessionChanges = @Sendable () -> AsyncStream<String>

extension ServiceKey where Service == SessionChanges {
    static var sessionChanges: Self { Self("session-changes") }
}

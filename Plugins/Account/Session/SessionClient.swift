import ViperKit

/// An HTTP client for one session. The session ends if the server no longer accepts the token.
struct SessionClient: HTTPClient {
    let session: AccountSessions.Session
    let sessions: AccountSessions
    let client: any HTTPClient

    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        // Another server must not get the token, and its responses say nothing about the session.
        guard session.isOfServer(at: request.url), request.headers["Authorization"] == nil else {
            return try await client.send(request)
        }
        guard try await sessions.contains(session) else {
            throw ViperError(
                .sessionEnded, operation: "cannot \(request.method)", subject: request.redactedURL,
                cause: "the session of \(session.userName) has ended", fix: "log in again")
        }
        var request = request
        request.headers["Authorization"] = "Bearer \(session.token)"
        var response = try await client.send(request)
        if response.status == 401 { try await sessions.end(session, because: "the server has ended your session") }
        // A careless server quotes the request, and errors quote such responses.
        if response.status >= 400, response.body.contains(session.token.utf8) { response.body = [] }
        return response
    }
}

extension ViperError.Code {
    /// The error code for a request of a session that has ended.
    static var sessionEnded: Self { Self("session-ended", .usage) }
}

extension AccountSessions.Session {
    /// Returns true if the URL is on the server that has issued the token, at or below the URL of the login.
    func isOfServer(at url: String) -> Bool {
        guard let server, url.hasPrefix(server) else { return false }
        // `http://x` is not the server of `http://x.example.org` or `http://x@example.org`.
        return url.utf8.dropFirst(server.utf8.count).first.map("/?#".utf8.contains) ?? true
    }
}

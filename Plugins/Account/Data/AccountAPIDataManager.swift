import ViperKit

/// The module's interface to the server. Interactors use this protocol, so they do not depend on HTTP.
protocol AccountAPIDataManaging: Sendable {
    /// Logs a user in and returns the token for later requests.
    ///
    /// - Throws: ``ViperError/Code/loginRefused`` if the server rejects the user name or the password. Any other
    ///   failure throws an error with a different code.
    func token(userName: String, password: String) async throws(ViperError) -> String
}

extension ViperError.Code {
    /// The error code for a user name or password that the server rejects.
    static var loginRefused: Self { Self("login-refused", .usage) }
}

/// An HTTP interface to the server. It logs in with `POST BASEURL/login`.
///
/// Errors never quote the server's response, because the response may contain the password.
struct AccountAPIDataManager: AccountAPIDataManaging {
    let baseURL: BaseURL?
    private let client: any HTTPClient
    private let json: any JSONCoder

    /// Creates an interface to a server.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL, or nil if it is not configured. There is no default, so passwords are sent only
    ///     to a configured server.
    ///   - client: The client that sends the requests.
    ///   - json: The coder for requests and responses.
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if the URL is not a valid base URL.
    init(baseURL: String?, client: any HTTPClient, json: any JSONCoder) throws(ViperError) {
        (self.client, self.json) = (client, json)
        self.baseURL = if let baseURL { try BaseURL(baseURL) } else { nil }
    }

    private struct Login: Encodable {
        var userName: String
        var password: String
    }

    private struct Answer: Decodable {
        var token: String
    }

    func token(userName: String, password: String) async throws(ViperError) -> String {
        guard let baseURL else {
            throw ViperError(
                .httpRequestInvalid, operation: "cannot log in as", subject: userName, cause: "\"baseURL\" is unset",
                fix: "give --set account.baseURL=URL")
        }
        var request = HTTPRequest(method: "POST", url: "\(baseURL.text)/login")
        request.headers = ["Content-Type": "application/json", "Accept": "application/json"]
        request.body = try json.encode(Login(userName: userName, password: password))
        // A response with a token is much smaller than this limit.
        request.sizeLimit = 1 << 16
        let response = try await client.send(request)
        switch response.status {
        case 200: break
        case 401, 403: throw failure(.loginRefused, userName, "the user name or the password is wrong")
        case let status: throw failure(.httpStatusUnexpected, userName, "the server responded with status \(status)")
        }
        // Discard the decoding error, because it may quote the response.
        guard let answer = try? json.decode(Answer.self, from: response.body, named: "token"), !answer.token.isEmpty
        else { throw failure(.jsonInvalid, userName, "the server's response has no token") }
        return answer.token
    }

    private func failure(_ code: ViperError.Code, _ userName: String, _ cause: String) -> ViperError {
        ViperError(code, operation: "cannot log in as", subject: userName, cause: cause)
    }
}

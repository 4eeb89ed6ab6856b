import ViperKit

/// What the interactors ask of the server. The module's own protocol, so that they know nothing of HTTP.
protocol AccountAPIDataManaging: Sendable {
    /// The token with which the server knows somebody from now on.
    ///
    /// - Throws: `login-refused` when the server does not know the name or the password; what else has failed otherwise.
    func token(userName: String, password: String) async throws(ViperError) -> String
}

extension ViperError.Code {
    /// The server does not know the user name or the password.
    static var loginRefused: Self { Self(rawValue: "login-refused") }
}

/// Asks the server by `POST BASEURL/login`. What it answers is never quoted: the password that it got may be in there.
struct AccountAPIDataManager: AccountAPIDataManaging {
    private let baseURL: BaseURL?
    private let client: any HTTPClient
    private let json: any JSONCoder

    /// - Parameter baseURL: Where the server is. There is no server to begin with: a password is sent to nobody who was not named.
    /// - Throws: ``ViperError/Code/httpRequest`` when no path can be put behind the base URL.
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
                .httpRequest, "cannot log in as", userName, cause: "no server is named",
                mend: "give --set account.baseURL=URL")
        }
        var request = HTTPRequest(method: "POST", url: "\(baseURL.text)/login")
        request.headers = ["Content-Type": "application/json", "Accept": "application/json"]
        request.body = try json.encode(Login(userName: userName, password: password))
        // Far more than a token needs.
        request.sizeLimit = 1 << 16
        let response = try await client.send(request)
        switch response.status {
        case 200: break
        case 401, 403: throw failure(.loginRefused, userName, "the user name or the password is wrong")
        case let status: throw failure(.httpStatus, userName, "the server answered \(status)")
        }
        // The reason is left out: it may quote the answer.
        guard let answer = try? json.decode(Answer.self, from: response.body, named: "token"), !answer.token.isEmpty
        else { throw failure(.jsonInvalid, userName, "the server's answer has no token") }
        return answer.token
    }

    private func failure(_ code: ViperError.Code, _ userName: String, _ cause: String) -> ViperError {
        ViperError(code, "cannot log in as", userName, cause: cause)
    }
}

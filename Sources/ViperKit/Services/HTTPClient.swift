/// Talks HTTP to servers. Only `http` and `https`. Works off the main actor; safe from many tasks at once.
///
/// ```swift
/// let response = try await client.fetch(HTTPRequest(method: "GET", url: "\(baseURL)/todos"))
/// let todos = try json.decode([Todo].self, from: response.body, named: "todos")
/// ```
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the whole response, whatever its status is. Cancelling the task cancels the request.
    ///
    /// - Throws: ``ViperError/Code/httpRequest`` for a request that cannot be sent, such as one with another scheme,
    ///   ``ViperError/Code/httpFailed`` when no whole response came: no connection, cut off, too slow, too large, or cancelled.
    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse
}

extension HTTPClient {
    /// Sends a request and returns the whole response if its status is 2xx.
    ///
    /// - Throws: As ``send(_:)``; and ``ViperError/Code/httpStatus`` for another status, with the body's beginning as evidence.
    public func fetch(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        let response = try await send(request)
        if 200..<300 ~= response.status { return response }
        // Enough for a sentence of the server; a page of HTML is not worth more.
        let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        throw ViperError(
            .httpStatus, "cannot \(request.method)", request.address, cause: "the server answered \(response.status)",
            notes: beginning.isEmpty ? [] : [.init("it said", beginning)])
    }
}

/// What is sent.
public struct HTTPRequest: Sendable, Equatable {
    /// `GET`, `POST` and so on.
    public var method: String
    /// An absolute URL.
    public var url: String
    /// Header fields by name.
    public var headers: [String: String] = [:]
    /// The body, if there is one.
    public var body: [UInt8]?
    /// How long it may take until the whole response is there, in seconds.
    public var timeLimit: Double = 30
    /// How large the response's body may be, in bytes.
    public var sizeLimit: Int = 16 << 20

    /// A request without headers or body, with the usual limits.
    public init(method: String, url: String) { (self.method, self.url) = (method, url) }

    /// The URL without what may be secret in it (user, password, query, fragment), for errors and logs. Of what is no URL with a
    /// scheme and a host nothing is shown, since anything may be the secret there.
    public var address: String {
        let plain = url.prefix { $0 != "?" && $0 != "#" }
        // "http:", nothing, and what follows the two slashes.
        let parts = plain.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, parts[0].last == ":", parts[2].first != "/" else { return "(no URL)" }
        let path = parts[2].drop { $0 != "/" }
        var host = parts[2][..<path.startIndex].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // A user and the beginning of a password with a slash in it look like a host and a port.
        if let colon = host.lastIndex(of: ":"), host.first != "[",
            host[colon...].dropFirst().contains(where: { !$0.isNumber })
        {
            host = host[..<colon]
            return "\(parts[0])//\(host)"
        }
        return "\(parts[0])//\(host)\(path)"
    }
}

/// What came back.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code, such as 200.
    public var status: Int
    /// Header fields by name, in small letters.
    public var headers: [String: String]
    /// The body; empty when there is none.
    public var body: [UInt8]

    /// A response.
    public init(status: Int, headers: [String: String], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address.
    public var description: String { "\(method) \(address)" }
    /// Neither headers nor body, which may hold what proves who somebody is: `dump` and the failures of tests do not show it.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "address": address, "bodySize": body?.count as Any])
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status, and how large the body is.
    public var description: String { "status \(status) with \(body.count) bytes" }
    /// Neither headers nor body, which may hold a secret.
    public var customMirror: Mirror { Mirror(self, children: ["status": status, "bodySize": body.count]) }
}

extension ServiceKey where Service == any HTTPClient {
    /// The HTTP client, `http-client` in manifests. A module of its own provides it.
    public static var httpClient: Self { Self("http-client") }
}

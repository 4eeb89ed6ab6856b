/// A client for `http` and `https` URLs. All methods run off the main actor and may be called concurrently.
///
/// ```swift
/// let response = try await client.fetch(HTTPRequest(method: "GET", url: "\(baseURL.text)/todos"))
/// let todos = try json.decode([Todo].self, from: response.body, named: "todos")
/// ```
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the complete response, regardless of its status.
    ///
    /// Cancelling the task cancels the request.
    ///
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if the request is invalid; ``ViperError/Code/httpFailed`` if no
    ///   complete response arrives, because of a connection failure, a limit, a refused redirect, or cancellation.
    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse
}

extension HTTPClient {
    /// Sends a request and returns the complete response if its status is 2xx.
    ///
    /// - Throws: The errors of ``send(_:)``; ``ViperError/Code/httpStatusUnexpected`` for any other status, with the
    ///   first 200 bytes of the body as a note.
    public func fetch(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        let response = try await send(request)
        if 200..<300 ~= response.status { return response }
        let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        throw ViperError(
            .httpStatusUnexpected, operation: "cannot \(request.method)", subject: request.redactedURL,
            cause: "the server responded with status \(response.status)",
            notes: beginning.isEmpty ? [] : [.init("response", beginning)])
    }
}

/// An HTTP request.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, such as `GET` or `POST`.
    public var method: String
    /// The absolute `http` or `https` URL.
    public var url: String
    /// The header fields.
    public var headers: HTTPHeaders = [:]
    /// The body, or nil if there is none.
    public var body: [UInt8]?
    /// The maximum time until the complete response arrives. It must be greater than zero.
    public var timeLimit: Duration = .seconds(30)
    /// The maximum size of the response's body, in bytes.
    public var sizeLimit: Int = 16 << 20

    /// Creates a request without header fields or body, with limits of 30 seconds and 16 MiB.
    public init(method: String, url: String) { (self.method, self.url) = (method, url) }

    /// The URL without the user name, password, query, and fragment, because these parts may be secret. Use it in
    /// errors and logs.
    ///
    /// If the URL has no scheme or host, the value is the text, unless it is empty or may contain a password. The value
    /// is then `(no URL)`.
    public var redactedURL: String {
        let plain = url.prefix { $0 != "?" && $0 != "#" }
        // The parts are the scheme with its colon, an empty part, and the text after the two slashes.
        let parts = plain.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, parts[0].last == ":", parts[2].first != "/" else {
            let isHost = plain.prefix { $0 != "/" }.drop { $0 != ":" }.dropFirst().allSatisfy { $0.isNumber }
            return plain.isEmpty || url.contains("@") || !isHost ? "(no URL)" : String(plain)
        }
        let path = parts[2].drop { $0 != "/" }
        var host = parts[2][..<path.startIndex].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // If a password contains a slash, the part before it looks like a host and port: `user:pa` in
        // `user:pa/ss@host`.
        if let colon = host.lastIndex(of: ":"), host.first != "[",
            host[colon...].dropFirst().contains(where: { !$0.isNumber })
        {
            host = host[..<colon]
            return "\(parts[0])//\(host)"
        }
        return "\(parts[0])//\(host)\(path)"
    }
}

/// An HTTP response.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields, in the order in which the server sent them. After redirects, these are the fields of the
    /// final response.
    public var headers: HTTPHeaders
    /// The body. Empty if there is none.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the redacted URL.
    public var description: String { "\(method) \(redactedURL)" }
    /// A mirror without the header fields and the body. Both may contain credentials, which must not appear in `dump`
    /// or test failures.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "redactedURL": redactedURL, "bodySize": body?.count as Any])
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the size of the body.
    public var description: String { "status \(status) with \(body.count) bytes" }
    /// A mirror without the header fields and the body. Both may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["status": status, "bodySize": body.count]) }
}

extension ServiceKey where Service == any HTTPClient {
    /// The HTTP client, named `http-client` in manifests. A module provides this service.
    public static var httpClient: Self { Self("http-client") }
}

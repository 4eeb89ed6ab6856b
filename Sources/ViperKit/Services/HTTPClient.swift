/// Talks HTTP to servers. Only `http` and `https`.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the whole response. Cancelling the task cancels the request.
    ///
    /// - Throws: ``ViperError/Code/httpRequest`` for a URL that is none or of another scheme, ``ViperError/Code/httpFailed``
    ///   when no response came (no connection, cut off, took longer than the limit, larger than the limit, cancelled),
    ///   ``ViperError/Code/httpStatus`` for a status other than 2xx, with the body's beginning as evidence.
    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse
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

extension ServiceKey where Service == any HTTPClient {
    /// The HTTP client, `http-client` in manifests. A module of its own provides it.
    public static var httpClient: Self { Self("http-client") }
}

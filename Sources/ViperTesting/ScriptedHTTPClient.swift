import Synchronization
public import Testing
public import ViperKit

/// An HTTP client that returns scripted answers and records the requests.
///
/// ```swift
/// let client = ScriptedHTTPClient(["GET /todos": [.failure("no connection"), .response(200, "[]")]])
/// ```
public final class ScriptedHTTPClient: HTTPClient {
    /// An answer to a request.
    public enum Answer: Sendable {
        /// A response with a status, a body, and header fields.
        case response(Int, String, headers: HTTPHeaders = [:])
        /// No response. The client throws ``ViperError/Code/httpFailed`` with this cause.
        case failure(String)
        /// No response. The client throws this error.
        case error(ViperError)
    }

    private let script: Mutex<[String: [Answer]]>
    private let otherwise: Answer?
    private let sourceLocation: SourceLocation
    private let kept = Mutex<[HTTPRequest]>([])

    /// Creates a client with answers to the expected requests. For any other request, the client records an issue and
    /// throws ``ViperError/Code/httpFailed``.
    ///
    /// - Parameters:
    ///   - script: The answers by method, path, and query, such as `GET /todos?done=1`. The client uses the answers in
    ///     each list in order, and repeats the last one.
    ///   - sourceLocation: The source location of the recorded issues.
    public init(_ script: [String: [Answer]], sourceLocation: SourceLocation = #_sourceLocation) {
        self.script = Mutex(script)
        (otherwise, self.sourceLocation) = (nil, sourceLocation)
    }

    /// Creates a client that returns the same answer to every request.
    public init(always answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
        script = Mutex([:])
        (otherwise, self.sourceLocation) = (answer, sourceLocation)
    }

    /// The requests that the client has received, in order.
    public var requests: [HTTPRequest] { kept.withLock { $0 } }

    public func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        kept.withLock { $0.append(request) }
        let path = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3)
        let name = "\(request.method) /\(path.first ?? "")"
        let answer = script.withLock { script -> Answer? in
            guard let answers = script[name], let first = answers.first else { return otherwise }
            if answers.count > 1 { script[name] = Array(answers.dropFirst()) }
            return first
        }
        let cause: String
        switch answer {
        case .response(let status, let body, let headers):
            return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        case .failure(let text): cause = text
        case .error(let error): throw error
        case nil:
            cause = "the test provides no response to \(name)"
            Issue.record("\(cause)", sourceLocation: sourceLocation)
        }
        throw ViperError(.httpFailed, operation: "cannot \(request.method)", subject: request.redactedURL, cause: cause)
    }
}

import Synchronization
public import Testing
public import ViperKit

/// An HTTP client that answers as a test has written down, and keeps what it was asked.
///
/// ```swift
/// let client = ScriptedHTTPClient(["GET /todos": [.failure("no connection"), .response(200, "[]")]])
/// ```
public final class ScriptedHTTPClient: HTTPClient {
    /// What comes back.
    public enum Answer: Sendable {
        /// A response with this status and body.
        case response(Int, String)
        /// No response, for this cause.
        case failure(String)
        /// No response, with this error as it is.
        case error(ViperError)
    }

    private let script: Mutex<[String: [Answer]]>
    private let otherwise: Answer?
    private let sourceLocation: SourceLocation
    private let kept = Mutex<[HTTPRequest]>([])

    /// The answers to each request, by method and what follows the host: `GET /todos?done=1`. They are given in order; the last
    /// one is given again and again. A request without an answer is an issue at the line that made the client.
    public init(_ script: [String: [Answer]], sourceLocation: SourceLocation = #_sourceLocation) {
        self.script = Mutex(script)
        (otherwise, self.sourceLocation) = (nil, sourceLocation)
    }

    /// The same answer to every request.
    public init(always answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
        script = Mutex([:])
        (otherwise, self.sourceLocation) = (answer, sourceLocation)
    }

    /// What was asked so far, in order.
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
        case .response(let status, let body): return HTTPResponse(status: status, headers: [:], body: Array(body.utf8))
        case .failure(let text): cause = text
        case .error(let error): throw error
        case nil:
            cause = "the test has no answer to \(name)"
            Issue.record("\(cause)", sourceLocation: sourceLocation)
        }
        throw ViperError(.httpFailed, "cannot \(request.method)", request.address, cause: cause)
    }
}

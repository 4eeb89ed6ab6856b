import Synchronization
import ViperKit

/// A client that answers as a test has written, and keeps what it was asked.
final class ScriptedClient: HTTPClient {
    private let answer: Result<HTTPResponse, ViperError>
    private let sent = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    init(_ status: Int, _ body: String = "") {
        answer = .success(HTTPResponse(status: status, headers: [:], body: Array(body.utf8)))
    }

    init(failure: ViperError) { answer = .failure(failure) }

    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        return try answer.get()
    }
}

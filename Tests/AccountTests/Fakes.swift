import Synchronization
import ViperKit

/// A server that answers every request alike, and keeps what it was asked.
final class FakeServer: HTTPClient {
    private let answer: Result<HTTPResponse, ViperError>
    private let asked = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    init(_ status: Int, _ body: String = "") {
        answer = .success(HTTPResponse(status: status, headers: [:], body: Array(body.utf8)))
    }

    init(failing error: ViperError) { answer = .failure(error) }

    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try answer.get()
    }
}

/// A credential in memory, and what every call fails with.
final class FakeStore: CredentialStore {
    private let kept: Mutex<Credential?>
    private let failure: ViperError?

    var current: Credential? { kept.withLock { $0 } }

    init(_ credential: Credential? = nil, failing failure: ViperError? = nil) {
        kept = Mutex(credential)
        self.failure = failure
    }

    func credential() async throws(ViperError) -> Credential? {
        try fail()
        return current
    }

    func keep(_ credential: Credential) async throws(ViperError) {
        try fail()
        kept.withLock { $0 = credential }
    }

    func remove() async throws(ViperError) {
        try fail()
        kept.withLock { $0 = nil }
    }

    private func fail() throws(ViperError) { if let failure { throw failure } }
}

/// The error of a store that cannot be used.
let storeError = ViperError(
    .storeFailed, "cannot use", "the store", cause: "of the test", notes: [.init("mode", "644")], mend: "remove it")

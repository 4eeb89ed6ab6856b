import ViperKit

/// An HTTP client that fails every request immediately, because checks have no network.
struct OfflineHTTPClient: HTTPClient {
    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        throw ViperError(
            .httpFailed, operation: "cannot \(request.method)", subject: request.redactedURL,
            cause: "no connection: a check has no network"
        )
    }
}

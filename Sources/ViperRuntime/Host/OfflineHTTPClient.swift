import ViperKit

/// An HTTP client that fails every request immediately, because checks have no network.
struct OfflineHTTPClient: HTTPClient {
    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        throw ViperError(
            .httpFailed, "cannot \(request.method)", request.redactedURL, cause: "no connection: a check has no network"
        )
    }
}

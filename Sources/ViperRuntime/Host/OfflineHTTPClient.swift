import ViperKit

/// An HTTP client that reaches nobody, at once: a check asks no server a thousand times.
struct OfflineHTTPClient: HTTPClient {
    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        throw ViperError(
            .httpFailed, "cannot \(request.method)", request.address, cause: "no connection: a check has no network")
    }
}

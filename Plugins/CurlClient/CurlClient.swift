import ViperKit

/// An HTTP client based on libcurl.
///
/// Foundation's `URLSession` also uses libcurl, but has defects on Linux (Swift 6.3.1). It ends the process if a
/// connection closes within a response's header (`NativeProtocol.swift:240`), and for some redirect URLs
/// (`HTTPURLProtocol.swift:612`). It stores redirect bodies of any size, and does not support IPv6 addresses in URLs.
///
/// The client uses the proxies in the environment variables `http_proxy`, `https_proxy` and `no_proxy`. It trusts the
/// system's certificates, or those in `SSL_CERT_FILE` and `SSL_CERT_DIR`. It keeps connections open for reuse, but no
/// cookies, cache or credentials.
///
/// The client follows at most 20 redirects, only to `http` and `https` URLs, and never from `https` to `http`. The
/// request after a redirect must be a GET or HEAD. If it goes to another origin, it carries only those header fields
/// whose names begin with `Accept`.
final class CurlClient: HTTPClient {
    private let transfers: Transfers

    private static let mostRedirects = 20
    // RFC 9110, 15.4. Other 3xx statuses are not redirects, even with a Location header field.
    private static let redirects = [301, 302, 303, 307, 308]

    /// - Throws: ``ViperError/Code/serviceFailed`` if memory is exhausted.
    init(_ authorities: Authorities = .ofEnvironment) throws(ViperError) { transfers = try Transfers(authorities) }

    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        try request.check()
        let end = ContinuousClock.now + min(request.timeLimit, HTTPRequest.longestTime)
        var current = request
        for _ in 0...Self.mostRedirects {
            current.timeLimit = end - .now
            let (response, location) = try await answer(to: current, for: request)
            guard Self.redirects.contains(response.status), let location else { return response }
            current = try current.redirected(by: response.status, to: location)
        }
        throw request.failure("it redirects too many times")
    }

    /// Sends one request without following redirects. Errors refer to the original `request`.
    private func answer(
        to hop: HTTPRequest, for request: HTTPRequest
    ) async throws(ViperError) -> (HTTPResponse, location: String?) {
        let ticket = Transfers.Ticket()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfers.begin(hop, ticket) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            transfers.cancel(ticket)
        }
        do { return try outcome.get() } catch {
            throw error.explained(for: request)
        }
    }
}

import ViperKit

/// An HTTP client based on libcurl.
///
/// Foundation's `URLSession` also uses libcurl, but has defects on Linux (Swift 6.3.1). It ends the process if a
/// connection closes before a response's header is complete (`NativeProtocol.swift:240`), and for some redirect URLs
/// (`HTTPURLProtocol.swift:612`). It stores the bodies of redirects without a size limit, and does not support IPv6
/// addresses in URLs.
///
/// The client uses the proxies in the environment variables `http_proxy`, `https_proxy` and `no_proxy`. It trusts the
/// system's certificates, or the certificates in `SSL_CERT_FILE` and `SSL_CERT_DIR`. It keeps connections open for
/// reuse, but stores no cookies, cached responses or credentials.
///
/// The client follows at most 20 redirects. A redirect must lead to an `http` or `https` URL, and must not lead from
/// `https` to `http`. The request after a redirect must be a GET or HEAD request. If it goes to a different origin, it
/// contains only the header fields whose names begin with `Accept`.
final class CurlClient: HTTPClient {
    private let transfers: Transfers

    private static let mostRedirects = 20
    // The redirect statuses in RFC 9110, section 15.4. The client does not follow other 3xx statuses, even with a
    // Location header field.
    private static let redirects = [301, 302, 303, 307, 308]

    /// Creates a client that verifies servers with the given certificate authorities.
    ///
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

    /// Sends one request without following redirects. Returns the response and the target of a redirect, if any. Errors
    /// refer to the original `request`.
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

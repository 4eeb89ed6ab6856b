import ViperKit

/// An HTTP client on libcurl, which Foundation's URLSession stands on too.
///
/// Not URLSession itself: on Linux (Swift 6.3.1) that ends the process when the line is cut in the middle of a response's header
/// (`NativeProtocol.swift:240`) and for some addresses of redirects (`HTTPURLProtocol.swift:612`), keeps the body of a redirect
/// without limit, and cannot ask an address of IPv6.
///
/// It goes over the proxies that `http_proxy`, `https_proxy` and `no_proxy` name in the environment, as every program on libcurl
/// does. It trusts the system's certificates, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name. It keeps nothing but open lines:
/// no cookies, no cache, no credentials. A redirect is followed to http and https only, never from https to http, up to twenty times, by
/// GET and HEAD only; no header of the request but those that begin with Accept goes along to another origin.
final class CurlClient: HTTPClient {
    private let transfers: Transfers

    private static let mostRedirects = 20
    // RFC 9110, 15.4. The other statuses from 300 on lead nowhere, whatever location they name.
    private static let redirects = [301, 302, 303, 307, 308]

    /// - Throws: ``ViperError/Code/serviceFailed`` when there is no memory for it.
    init(_ authorities: Authorities = .ofEnvironment) throws(ViperError) { transfers = try Transfers(authorities) }

    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        try request.check()
        let end = ContinuousClock.now + .seconds(min(request.timeLimit, HTTPRequest.longestTime))
        var current = request
        for _ in 0...Self.mostRedirects {
            current.timeLimit = (end - .now) / .seconds(1)
            let (response, location) = try await answer(to: current, for: request)
            guard Self.redirects.contains(response.status), let location else { return response }
            current = try current.redirected(by: response.status, to: location)
        }
        throw request.failure("it redirects without end")
    }

    /// The answer to one request, and where it redirects to.
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

import Foundation
import FoundationNetworking
import ViperKit

/// An HTTP client on Foundation's URLSession. It keeps nothing: no cookies, no cache, no credentials.
///
/// A redirect is followed to http and https only, up to twenty times, by GET and HEAD only; no header of the request but those
/// that begin with Accept goes along to another origin.
///
/// URLSession has faults here (Swift 6.3.1, Linux) that nothing outside of it can mend, so this client is for servers that one
/// trusts not to attack:
///
/// - It ends the process when the line is closed in the middle of a response's header, after the status line
///   (`NativeProtocol.swift:240`), and when a redirect's location has no scheme and a host that it cannot write
///   again, as `//[::1]/x` in some requests and `//a%25b/x` (`HTTPURLProtocol.swift:612`).
/// - It keeps the whole body of a redirect, and tells nobody that it comes: only the time limit bounds it.
/// - It takes a body for whole, wherever it ends, when its Content-Length is too large for any number.
/// - It cannot ask an address of IPv6; such a request is refused.
///
/// Beyond the limits of the request, libcurl refuses a header of more than 300 KB.
final class URLSessionClient: HTTPClient {
    let transfers = Transfers()
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    // A session keeps its delegate, and the threads of both, until it is told.
    deinit { session.invalidateAndCancel() }

    func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        let task = session.dataTask(with: try request.checked())
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfers.begin(task, for: request, continuation)
            }
        } onCancel: {
            transfers.fail(task, "it was cancelled")
        }.get()
    }
}

import ViperKit

extension HTTPRequest {
    /// Returns the request that follows a redirect.
    ///
    /// - Parameter location: The absolute URL of the redirect's target.
    /// - Throws: ``ViperError/Code/httpFailed`` if the redirect must not be followed.
    func redirected(by status: Int, to location: String) throws(ViperError) -> HTTPRequest {
        guard let target = HTTPTarget(location), target.isHTTP else {
            throw failure("it redirects to a URL that is not http or https")
        }
        var next = self
        next.url = location
        // Without encryption, request and response could be read and changed in transit.
        if target.scheme == "http", HTTPTarget(url)?.scheme == "https" {
            throw failure(
                "it redirects from https to http, which is not encrypted",
                notes: [.init("redirects to", next.address)],
                recoverySuggestion:
                    "make the server redirect to https, or request the http URL if nothing needs to be secret")
        }
        // RFC 9110, 15.4: 303 is followed with GET. By convention, so are 301 and 302 after a POST.
        if status == 303 && method != "HEAD" || [301, 302].contains(status) && method == "POST" {
            (next.method, next.body) = ("GET", nil)
        }
        guard ["GET", "HEAD"].contains(next.method) else {
            throw failure("it redirects a \(method), which cannot be sent twice")
        }
        if HTTPTarget(url) != target {
            // Any other header field may contain credentials, which must not reach another origin.
            next.headers = HTTPHeaders(headers.filter { $0.name.lowercased().hasPrefix("accept") })
        } else if body != nil, next.body == nil {
            next.headers["Content-Type"] = nil
        }
        return next
    }

    func failure(_ cause: String, notes: [ViperError.Note] = [], recoverySuggestion: String? = nil) -> ViperError {
        ViperError(
            .httpFailed, "cannot \(method)", address, cause: cause, notes: notes, recoverySuggestion: recoverySuggestion
        )
    }
}

import ViperKit

extension HTTPRequest {
    /// Returns the request to send after a redirect.
    ///
    /// - Parameters:
    ///   - status: The redirect's status code.
    ///   - location: The absolute URL of the redirect's target.
    /// - Throws: ``ViperError/Code/httpFailed`` if the client must not follow the redirect.
    func redirected(by status: Int, to location: String) throws(ViperError) -> HTTPRequest {
        guard let target = HTTPTarget(location), target.isHTTP else {
            throw failure("it redirects to a URL that is not http or https")
        }
        var next = self
        next.url = location
        // Without encryption, an attacker could read and change the request and the response.
        if target.scheme == "http", HTTPTarget(url)?.scheme == "https" {
            throw failure(
                "it redirects from https to http, which is not encrypted",
                notes: [.init("redirects to", next.redactedURL)],
                fix:
                    "make the server redirect to https, or request the http URL if nothing needs to be secret")
        }
        // According to RFC 9110, section 15.4, a client follows a 303 with a GET request. By convention, clients also
        // do this for a 301 or 302 after a POST.
        if status == 303 && method != "HEAD" || [301, 302].contains(status) && method == "POST" {
            (next.method, next.body) = ("GET", nil)
        }
        guard ["GET", "HEAD"].contains(next.method) else {
            throw failure("it redirects a \(method), which cannot be sent twice")
        }
        if HTTPTarget(url) != target {
            // Keep only the header fields whose names begin with `Accept`. The others may contain credentials that must
            // not reach a different origin.
            next.headers = HTTPHeaders(headers.filter { $0.name.lowercased().hasPrefix("accept") })
        } else if body != nil, next.body == nil {
            next.headers["Content-Type"] = nil
        }
        return next
    }

    func failure(_ cause: String, notes: [ViperError.Note] = [], fix: String? = nil) -> ViperError {
        ViperError(
            .httpFailed, operation: "cannot \(method)", subject: redactedURL, cause: cause, notes: notes,
            fix: fix
        )
    }
}

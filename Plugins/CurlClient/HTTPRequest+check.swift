import CCurl
import ViperKit

extension HTTPRequest {
    /// The maximum time limit for a request, which is one day. Longer limits are reduced to this value.
    static let longestTime = Duration.seconds(86_400)

    /// Checks that libcurl can send the request unchanged.
    ///
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if libcurl cannot send the request unchanged.
    func check() throws(ViperError) {
        guard Self.isToken(method) else { throw refused("its method is not an HTTP method") }
        guard let target = HTTPTarget(url) else {
            throw refused(
                "its URL is not an absolute URL", fix: "write a URL such as http://example.org/path")
        }
        guard target.isHTTP else {
            throw refused("its scheme is not http or https", fix: "write http:// or https://")
        }
        guard timeLimit > .zero, sizeLimit >= 0 else { throw refused("its time limit or size limit is out of range") }
        if let body, !body.isEmpty, ["GET", "HEAD"].contains(method) {
            throw refused("a \(method) request cannot have a body")
        }
        for field in headers {
            let (name, value) = (field.name, field.value)
            guard Self.isToken(name) else { throw refused("the name of a header is invalid") }
            // A line break would start another header field or another request.
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw refused("the header \"\(name)\" contains a control character")
            }
            guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
                throw refused("the header \"\(name)\" is set by the client")
            }
        }
        // libcurl would send only the first of these header fields.
        if headers.values(of: "host").count > 1 { throw refused("it has the header \"Host\" twice") }
    }

    private func refused(_ cause: String, fix: String? = nil) -> ViperError {
        ViperError(
            .httpRequestInvalid, operation: "cannot send a request to", subject: redactedURL, cause: cause,
            fix: fix)
    }

    /// Returns true if the text is a `token` as defined in RFC 9110. Methods and header names are tokens.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// The origin of a URL, as parsed by libcurl.
struct HTTPTarget: Equatable {
    let scheme: String
    let host: String
    let port: String

    var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Creates a target by parsing a URL. Returns nil if the text is not an absolute URL with a host.
    init?(_ text: String) {
        // Accept only printable ASCII. libcurl also accepts spaces, and some builds accept other characters in host
        // names.
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }), let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        // Require exactly two slashes after the scheme. libcurl also accepts fewer or more slashes.
        let rest = text.drop { $0 != ":" }
        guard rest.hasPrefix("://"), !rest.hasPrefix(":///") else { return nil }
        // Accept unknown schemes here, because `check()` refuses them with a clear error.
        guard curl_url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) == 0 else { return nil }
        func part(_ part: Int32, _ flags: UInt32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            // libcurl allocates the text, so copy and free it.
            guard curl_url_get(url, part, &text, flags) == 0, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty, !host.contains("%")
        else { return nil }
        (self.scheme, self.host) = (scheme.lowercased(), host.lowercased())
        port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT) ?? ""
        if port == "0" { return nil }
    }
}

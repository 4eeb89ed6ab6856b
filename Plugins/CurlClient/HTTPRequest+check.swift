import CCurl
import ViperKit

extension HTTPRequest {
    /// A day: what somebody means who sets no limit, and short enough for any clock.
    static let longestTime = 86_400.0

    /// Refuses what cannot be sent as it is, or would be sent as something else.
    func check() throws(ViperError) {
        guard Self.isToken(method) else { throw refused("its method is no HTTP method") }
        guard let target = HTTPTarget(url) else {
            throw refused("its URL is no absolute URL", mend: "write it like http://example.org/path")
        }
        guard target.isHTTP else { throw refused("its scheme is not http or https", mend: "write http:// or https://") }
        // NaN is not greater either.
        guard timeLimit > 0, sizeLimit >= 0 else { throw refused("its limits are not positive") }
        if let body, !body.isEmpty, ["GET", "HEAD"].contains(method) { throw refused("\(method) has no body") }
        var names: Set<String> = []
        for (name, value) in headers {
            guard Self.isToken(name) else { throw refused("a header's name is malformed") }
            // A line break would begin another header, or another request.
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw refused("the header \"\(name)\" has a control character in it")
            }
            guard names.insert(name.lowercased()).inserted else { throw refused("it has the header \"\(name)\" twice") }
            guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
                throw refused("the header \"\(name)\" is the client's to write")
            }
        }
    }

    private func refused(_ cause: String, mend: String? = nil) -> ViperError {
        ViperError(.httpRequest, "cannot send a request to", address, cause: cause, mend: mend)
    }

    /// Whether a text is a `token` of RFC 9110, as methods and names of headers are.
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

/// Where a URL leads, as libcurl reads it.
struct HTTPTarget: Equatable {
    let scheme: String
    let host: String
    let port: String

    var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Nil for what is no absolute URL.
    init?(_ text: String) {
        // libcurl would take spaces, and names in other alphabets only where it was built so.
        guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }), let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        // It would pass over slashes that are missing or too many.
        let rest = text.drop { $0 != ":" }
        guard rest.hasPrefix("://"), !rest.hasPrefix(":///") else { return nil }
        // Every other scheme is none that it knows, or one that is refused later.
        guard curl_url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) == 0 else { return nil }
        func part(_ part: Int32, _ flags: UInt32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            // It allocates the text, which we copy and free.
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

import Foundation
import FoundationNetworking
import ViperKit

extension HTTPRequest {
    /// A day: what somebody means who sets no limit, and short enough for any clock.
    static let longestTime = 86_400.0

    /// The request as URLSession takes it. What URLSession would mend, drop or crash on is refused here.
    func checked() throws(ViperError) -> URLRequest {
        guard Self.isToken(method) else { throw refused("its method is no HTTP method") }
        guard let url = URL(string: url, encodingInvalidCharacters: false), let host = url.host, !host.isEmpty else {
            throw refused("its URL is no absolute URL", mend: "write it like http://example.org/path")
        }
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw refused("its scheme is not http or https")
        }
        guard !host.contains(":") else { throw refused("its host is an IPv6 address, which URLSession cannot ask") }
        guard 1...65_535 ~= url.port ?? 80 else { throw refused("its port is not between 1 and 65535") }
        // NaN is not greater either.
        guard timeLimit > 0, sizeLimit >= 0 else { throw refused("its limits are not positive") }
        // URLSession makes capitals of the method.
        if let body, !body.isEmpty, ["GET", "HEAD"].contains(method.uppercased()) {
            throw refused("\(method) has no body")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        // In place of URLSession's own minute. The transfer's timer is earlier.
        request.timeoutInterval = Self.longestTime + 60
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
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
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

/// A server's base URL, to which paths are appended.
///
/// ```swift
/// let request = HTTPRequest(method: "GET", url: "\(baseURL.text)/todos")
/// ```
public struct BaseURL: Sendable, Equatable {
    /// The URL without trailing slashes. The URL may contain a password, but ``description`` omits it.
    public let text: String

    /// Creates a base URL from text, and removes any trailing slashes.
    ///
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if the URL does not begin with `http://` or `https://`, or if
    ///   it has a query or fragment.
    public init(_ url: String) throws(ViperError) {
        var base = url[...]
        while base.utf8.last == UInt8(ascii: "/") { base = base.dropLast() }
        let endsPath = base.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard base.hasPrefix("http://") || base.hasPrefix("https://"), !endsPath else {
            throw ViperError(
                .httpRequestInvalid, operation: "cannot use base URL",
                subject: HTTPRequest(method: "GET", url: url).redactedURL,
                cause: endsPath ? "it has a query or a fragment" : "it does not begin with http:// or https://",
                fix: "write one such as http://example.org/api")
        }
        text = String(base)
    }
}

extension BaseURL: CustomStringConvertible, CustomReflectable {
    /// The URL without the user name and password.
    public var description: String { HTTPRequest(method: "GET", url: text).redactedURL }
    /// A mirror without the user name and password.
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

import ViperKit

/// A server's base URL, to which paths are appended.
///
/// Modules share no code, so each module that uses a server has an identical copy of this file.
struct BaseURL: Sendable {
    /// The URL without trailing slashes.
    let text: String

    /// - Throws: ``ViperError/Code/httpRequest`` if the URL does not begin with `http://` or `https://`, or has a query
    ///   or fragment.
    init(_ url: String) throws(ViperError) {
        var base = url[...]
        while base.utf8.last == UInt8(ascii: "/") { base = base.dropLast() }
        let endsPath = base.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard base.hasPrefix("http://") || base.hasPrefix("https://"), !endsPath else {
            throw ViperError(
                .httpRequest, "cannot use base URL", HTTPRequest(method: "GET", url: url).address,
                cause: endsPath ? "it has a query or a fragment" : "it does not begin with http:// or https://",
                recoverySuggestion: "write one such as http://example.org/api")
        }
        text = String(base)
    }
}

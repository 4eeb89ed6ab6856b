import ViperKit

/// What stands before the path in every URL of a server. Modules share no code, so each that asks a server has this file, alike.
struct BaseURL: Sendable {
    /// The URL without slashes at its end.
    let text: String

    /// - Throws: ``ViperError/Code/httpRequest`` when no path can be put behind it.
    init(_ url: String) throws(ViperError) {
        var base = url[...]
        while base.utf8.last == UInt8(ascii: "/") { base = base.dropLast() }
        let endsPath = base.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard base.hasPrefix("http://") || base.hasPrefix("https://"), !endsPath else {
            throw ViperError(
                .httpRequest, "cannot use base URL", HTTPRequest(method: "GET", url: url).address,
                cause: endsPath ? "it has a query or a fragment" : "it does not begin with http:// or https://",
                mend: "write one such as http://example.org/api")
        }
        text = String(base)
    }
}

import ViperKit

/// The files that all pages use.
struct Assets: Sendable {
    private struct Asset {
        var tag: String
        var response: Response
        /// The answer without the bytes, which libmicrohttpd leaves out because of the status.
        var unchanged: Response
    }

    private static let types = [
        "web.css": "text/css; charset=utf-8", "web.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
    ]
    private static let path = "/_web/"

    private var assets: [String: Asset] = [:]

    /// Reads the files from the module's resources.
    init(_ files: any FileReader) async throws(ViperError) {
        for (name, type) in Self.types {
            let bytes = try await files.read(name)
            let tag = "\"\(bytes.digest)\""
            let fields: [Response.Field] = [("Cache-Control", "no-cache"), ("ETag", tag)]
            assets[Self.path + name] = Asset(
                tag: tag, response: Response(200, type, bytes, fields), unchanged: Response(304, type, bytes, fields))
        }
    }

    /// Returns the file at a path. Nil if there is none.
    func response(to request: Request) -> Response? {
        guard let asset = assets[String(request.path)] else { return nil }
        return Self.contains(request[.ifNoneMatch] ?? "", asset.tag) ? asset.unchanged : asset.response
    }

    /// Returns true if a list of tags contains one. A proxy that compresses a file makes its tag weak (`W/"…"`), which does
    /// not matter here; see RFC 9110, section 13.1.2.
    private static func contains(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { part in
            let part = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return part == "*" || part == tag || part == "W/" + tag
        }
    }
}

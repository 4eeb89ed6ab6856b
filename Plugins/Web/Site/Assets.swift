import ViperKit

/// The files that all pages use.
struct Assets: Sendable {
    private struct Asset {
        var tag: String
        var response: Response
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
                tag: tag, response: Response(200, type, bytes, fields), unchanged: Response(304, type, [], fields))
        }
    }

    /// Returns the file at a path. Nil if there is none.
    func response(to request: Request) -> Response? {
        guard let asset = assets[String(request.path)] else { return nil }
        return request[.ifNoneMatch] == asset.tag ? asset.unchanged : asset.response
    }
}

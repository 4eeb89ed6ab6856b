import FoundationEssentials

/// A subject that measures how long it takes to decode a manifest.
enum ManifestDecoding: Subject {
    static let name = "manifests"
    static let summary = "Validating and decoding a manifest"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let (data, decoder) = (Data(text.utf8), JSONDecoder())
        return [
            Trial("validate and decode a manifest", floor: "JSONDecoder") { count in
                var routes = 0
                for _ in 0..<count { routes += try decodeManifest(data) }
                return routes
            } by: { count in
                var routes = 0
                for _ in 0..<count { routes += try decoder.decode(PlainManifest.self, from: data).routes.count }
                return routes
            }
        ]
    }

    /// A manifest that is as long as the manifest of a typical bundled module.
    private static let text = """
        {
          "$schema": "./module.schema.json",
          "name": "sample",
          "version": "1.0.0",
          "library": "libSample.so",
          "sdk": "1.0",
          "routes": [
            {
              "name": "sample",
              "summary": "Lists people",
              "parameters": [
                { "name": "olderThan", "type": "integer", "default": null, "summary": "Only those older than this, in years" },
                { "name": "named", "type": "string", "default": "", "summary": "Only those with this text in the name" }
              ]
            }
          ],
          "requires": ["data-provider", "logger"],
          "provides": []
        }
        """
}

/// A type with the properties of a manifest, but without its validation rules.
private struct PlainManifest: Decodable {
    struct Route: Decodable {
        struct Parameter: Decodable {
            var name, type, summary: String
            var `default`: String?
        }

        var name, summary: String
        var parameters: [Parameter]
    }

    var name, version, library, sdk: String
    var routes: [Route]
    var requires, provides: [String]
}

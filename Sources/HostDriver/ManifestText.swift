/// The text of a manifest, with defaults that suit most test modules.
public struct ManifestText: Sendable {
    public var name: String
    public var library: String
    public var sdk = "1.0"
    /// The routes. Each element is a route's name, or a JSON object for a route with parameters.
    public var routes: [String]
    public var requires: [String] = []
    public var optional: [String] = []
    public var provides: [String] = []
    public var collects: [String] = []
    /// The isolation, such as `process`. If nil, the manifest has no `isolation` key.
    public var isolation: String?
    /// The contributions as a JSON object. If nil, the manifest has no `contributes` key.
    public var contributes: String?
    /// The value of `runs`, such as `true`. If nil, the manifest has no `runs` key.
    public var runs: String?

    /// The routes that the module opens.
    public var opens: [String] = []

    public init(_ name: String, library: String, routes: [String]) {
        (self.name, self.library, self.routes) = (name, library, routes)
    }

    public var text: String {
        let routes = routes.map { $0.hasPrefix("{") ? $0 : #"{ "name": "\#($0)", "summary": "Shows \#($0)" }"# }
        return """
            {
              "name": "\(name)",
              "version": "1.0.0",
              "library": "\(library)",
              "sdk": "\(sdk)",
              "routes": [\(routes.joined(separator: ", "))],
              "requires": \(requires),
              "provides": \(provides)\(optional.isEmpty ? "" : ",\n  \"optional\": \(optional)")\(collects.isEmpty ? "" : ",\n  \"collects\": \(collects)")\(isolation.map { ",\n  \"isolation\": \"\($0)\"" } ?? "")\(contributes.map { ",\n  \"contributes\": \($0)" } ?? "")\(runs.map { ",\n  \"runs\": \($0)" } ?? "")\(opens.isEmpty ? "" : ",\n  \"opens\": \(opens)")
            }

            """
    }
}

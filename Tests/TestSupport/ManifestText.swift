/// A manifest to be written to a file. What is not said is what most modules have.
public struct ManifestText: Sendable {
    public var name: String
    public var library: String
    public var sdk = "1.0"
    /// Route names, or whole JSON objects for routes with parameters.
    public var routes: [String]
    public var requires: [String] = []
    public var optional: [String] = []
    public var provides: [String] = []
    /// `process`, or nil for what a manifest means that says nothing.
    public var isolation: String?

    public init(_ name: String, library: String, routes: [String]) {
        (self.name, self.library, self.routes) = (name, library, routes)
    }

    /// The JSON.
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
              "provides": \(provides)\(optional.isEmpty ? "" : ",\n  \"optional\": \(optional)")\(isolation.map { ",\n  \"isolation\": \"\($0)\"" } ?? "")
            }

            """
    }
}

/// The limits for one manifest. `Manifests/module.schema.json` contains the same numbers.
///
/// The host's work and memory grow with the manifests. These limits keep one manifest from exhausting both. ``Grammar``
/// limits the length of names and summaries.
enum ManifestLimits {
    struct List {
        var count: Int
        /// The name of the elements in errors.
        var elements: String
        /// The fix for a list that exceeds the limit.
        var recoverySuggestion: String

        fileprivate init(_ count: Int, _ elements: String, canSplit: Bool = true) {
            (self.count, self.elements) = (count, elements)
            recoverySuggestion = "declare at most \(count) \(elements)" + (canSplit ? ", or split the module" : "")
        }
    }

    /// The maximum size of a manifest in bytes. A larger file is refused before it is read.
    static let bytes = 1 << 20
    static let routes = List(1_000, "routes")
    /// The limit on the parameters of one route.
    static let parameters = List(100, "parameters", canSplit: false)
    /// The limit on the values in each of `enum` and an array's `default`.
    static let values = List(100, "values", canSplit: false)
    /// The limit on the services in each of `requires`, `optional` and `provides`.
    static let services = List(1_000, "services")
    static let config = List(100, "keys")
    /// The maximum length of a default text and of `$schema`, in Unicode scalars.
    static let text = 4_096
}

/// The limits for a manifest. `Manifests/module.schema.json` contains the same numbers.
///
/// The time and memory that the host needs depend on the size of the manifests. The limits prevent a single manifest
/// from exhausting these resources. ``Grammar`` limits the length of names and summaries.
enum ManifestLimits {
    struct List {
        var count: Int
        /// The noun that errors use for the list's elements.
        var elements: String
        /// The fix that errors suggest if a list exceeds its limit.
        var fix: String

        fileprivate init(_ count: Int, _ elements: String, canSplit: Bool = true) {
            (self.count, self.elements) = (count, elements)
            fix = "declare at most \(count) \(elements)" + (canSplit ? ", or split the module" : "")
        }
    }

    /// The maximum size of a manifest in bytes. A larger file is rejected before it is read.
    static let bytes = 1 << 20
    static let routes = List(1_000, "routes")
    /// The maximum number of parameters for each route.
    static let parameters = List(100, "parameters", canSplit: false)
    /// The maximum number of values in `enum`, and in the `default` value of an array.
    static let values = List(100, "values", canSplit: false)
    /// The maximum number of services in each of `requires`, `optional` and `provides`.
    static let services = List(1_000, "services")
    static let config = List(100, "keys")
    static let contracts = List(100, "contracts")
    static let points = List(100, "points")
    /// The maximum number of contributions for each point.
    static let contributions = List(1_000, "contributions")
    /// The maximum length of a string in `default`, `enum` or `$schema`, in Unicode scalars.
    static let text = 4_096
}

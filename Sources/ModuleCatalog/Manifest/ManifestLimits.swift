/// The limits of what one manifest may declare. `Manifests/module.schema.json` has the same numbers.
///
/// The host's work and memory grow with what manifests declare. These limits keep one manifest from taking all of both. ``Grammar`` limits
/// the length of names and summaries.
enum ManifestLimits {
    /// The limit of a list.
    struct List {
        /// The maximum number of elements.
        var count: Int
        /// The name of the elements in errors.
        var elements: String
        /// The fix for a list that is longer.
        var mend: String

        fileprivate init(_ count: Int, _ elements: String, canSplit: Bool = true) {
            (self.count, self.elements) = (count, elements)
            mend = "declare at most \(count) \(elements)" + (canSplit ? ", or split the module" : "")
        }
    }

    /// The maximum size of a manifest, in bytes. A larger file is refused unread.
    static let bytes = 1 << 20
    /// The routes of a module.
    static let routes = List(1_000, "routes")
    /// The parameters of one route.
    static let parameters = List(100, "parameters", canSplit: false)
    /// The services in `requires`, in `optional` and in `provides`, each.
    static let services = List(1_000, "services")
    /// The keys of a module's configuration.
    static let config = List(100, "keys")
    /// The maximum length of a default text, and of `$schema`, in Unicode scalars.
    static let text = 4_096
}

import ModuleCatalog

/// The routes that guards watch, as the settings name them: a route's name, or `people/*` for all routes below `people`.
struct GuardPatterns: Sendable {
    /// The guarding modules, keyed by route name or by the part of a pattern before `/*`.
    private var names: [String: [String]] = [:]
    private var prefixes: [String: [String]] = [:]
    /// The modules that guard routes.
    let modules: Set<String>

    init(_ guards: [String: [String]]) {
        modules = Set(guards.keys)
        for (module, patterns) in guards.sorted(by: { $0.key < $1.key }) {
            for pattern in patterns {
                if pattern.hasSuffix("/*") {
                    prefixes[String(pattern.dropLast(2)), default: []].append(module)
                } else {
                    names[pattern, default: []].append(module)
                }
            }
        }
    }

    var isEmpty: Bool { names.isEmpty && prefixes.isEmpty }

    /// Returns the modules that guard a route, in the order in which they are asked. The cost depends on the number of
    /// slashes in the name, not on the number of guards.
    func modules(guarding route: String) -> [String] {
        var modules = names[route] ?? []
        var rest = route[...]
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            modules += prefixes[String(rest)] ?? []
        }
        return modules.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

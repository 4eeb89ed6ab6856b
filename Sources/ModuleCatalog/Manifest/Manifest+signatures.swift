@_spi(Host) package import ViperKit

extension Manifest {
    /// Returns the differences between the routes' parameters and the argument types in the module's code. Each
    /// difference is one sentence.
    package func differences(from signatures: [RouteSignature]) -> [String] {
        let routesByName = Dictionary(routes.map { ($0.name, $0) }) { first, _ in first }
        return signatures.flatMap { signature -> [String] in
            guard let route = routesByName[signature.route] else {
                let names = routes.map(\.name).joined(separator: ", ")
                return [
                    "\(signature.type) is for route \"\(signature.route)\", expected a route of the manifest: "
                        + (names.isEmpty ? "it has none" : names)
                ]
            }
            return route.differences(from: signature).map { "route \"\(route.name)\": \($0)" }
        }
    }
}

extension Manifest.Route {
    fileprivate func differences(from signature: RouteSignature) -> [String] {
        if let failure = signature.failure {
            let fix = failure.fix.map { "; fix: \($0)" } ?? ""
            return ["\(signature.type) cannot be compared: \(failure.summary)\(fix)"]
        }
        let known = Set(signature.parameters.map(\.name))
        let unread = parameters.filter { $0.presence == .required && !known.contains($0.name) }
        return signature.parameters.flatMap { differences(from: $0, of: signature.type) }
            + unread.map { "\(signature.type) has no property \"\($0.name)\", which the manifest requires" }
    }

    private func differences(from read: RouteSignature.Parameter, of type: String) -> [String] {
        guard let parameter = parameters.first(where: { $0.name == read.name }) else {
            let names = parameters.map(\.name).joined(separator: ", ")
            return [
                "\(type) has the property \"\(read.name)\", expected a parameter of the manifest: "
                    + (names.isEmpty ? "it has none" : names)
            ]
        }
        var differences: [String] = []
        func add(_ found: String, _ expected: String) {
            differences.append("\"\(read.name)\" of \(type) is \(found), expected \(expected) as in the manifest")
        }
        let found = phrase(read.type, isArray: read.isArray)
        let expected = phrase(parameter.type.kind.rawValue, isArray: parameter.type.isArray)
        if found != expected { add(found, expected) }
        if !read.isOptional, parameter.presence == .optional { add("not optional", "an optional property") }
        let allowed = Set(parameter.type.allowed.map(\.text))
        if found == expected, !read.allowed.isEmpty, Set(read.allowed) != allowed {
            let values = parameter.type.allowed.map(\.text).joined(separator: ", ")
            add(
                "one of \(read.allowed.joined(separator: ", "))",
                allowed.isEmpty ? "any \(parameter.type.kind.rawValue)" : "one of \(values)")
        }
        return differences
    }
}

/// Returns a noun phrase for a type, such as `an integer` or `an array of strings`.
private func phrase(_ type: String, isArray: Bool) -> String {
    isArray ? "an array of \(type)s" : type == "integer" ? "an integer" : "a \(type)"
}

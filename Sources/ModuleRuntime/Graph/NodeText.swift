/// The lines of text in the box of a module, below its name.
package struct NodeText {
    private static let limit = 4

    package let lines: [String]

    package init(_ node: ModuleGraph.Node) {
        lines =
            Self.line("routes", node.routes) + Self.line("provides", node.provides)
            + Self.line("contributes to", node.contributes) + Self.line("host:", node.fromHost)
            + Self.line(node.isRefused ? "lacks" : "without", node.lacks)
            + (node.isIsolated ? ["runs in its own process"] : [])
    }

    private static func line(_ label: String, _ names: [String]) -> [String] {
        if names.isEmpty { return [] }
        let more = names.count > limit ? ", +\(names.count - limit)" : ""
        return ["\(label) \(names.prefix(limit).joined(separator: ", "))\(more)"]
    }
}

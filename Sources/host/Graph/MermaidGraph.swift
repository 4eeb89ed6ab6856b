import HostSystem

/// A graph as text for Mermaid, which many viewers of Markdown draw.
struct MermaidGraph {
    let graph: ModuleGraph

    var text: String {
        let nodes = graph.nodes.enumerated().map { place, node in
            let lines =
                ["\(node.name) \(node.version ?? "")\(node.isRefused ? " (refused)" : "")"] + NodeText(node).lines
            let kind = node.isRefused ? ":::refused" : node.isIsolated ? ":::isolated" : ""
            return "    m\(place)[\"\(lines.map(Self.escaped).joined(separator: "<br>"))\"]\(kind)\n"
        }
        let edges = graph.edges.map { edge in
            let arrow = edge.kind == .route ? "-.->" : "-->"
            return "    m\(edge.from) \(arrow)|\"\(Self.escaped(edge.names.joined(separator: ", ")))\"| m\(edge.to)\n"
        }
        return "graph LR\n" + nodes.joined() + edges.joined()
            + "    classDef refused stroke:#c62828,stroke-width:2px\n"
            + "    classDef isolated stroke-dasharray:6 3,stroke-width:2px\n"
    }

    /// Returns a text for use in quotation marks.
    private static func escaped(_ text: String) -> String {
        let text = printable(text)
        return [("&", "#amp;"), ("\"", "#quot;"), ("<", "#lt;"), (">", "#gt;")]
            .reduce(text.replacing("#", with: "#35;")) { $0.replacing($1.0, with: $1.1) }
    }
}

/// The lines of text in the box of a module, below its name.
struct NodeText {
    private static let limit = 4

    let lines: [String]

    init(_ node: ModuleGraph.Node) {
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

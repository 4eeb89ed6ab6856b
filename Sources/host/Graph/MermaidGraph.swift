import HostSystem
import ModuleRuntime

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

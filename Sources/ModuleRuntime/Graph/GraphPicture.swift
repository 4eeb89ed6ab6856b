import HostSystem

/// A graph as an SVG picture.
///
/// Each module is a box in a column to the left of what it needs. An arrow leads to a module of the next column that meets a
/// need. The box names the other modules, and those that many modules need: each of these has a colour.
package struct GraphPicture {
    private struct Box {
        var left = 0
        var top = 0
        var lines: [Line] = []

        var height: Int { GraphPicture.head + lines.count * GraphPicture.lineHeight + 8 }
    }

    private struct Line {
        var text: String
        var colour = "#555"
    }

    private static let width = 250
    private static let gap = 90
    private static let head = 26
    private static let lineHeight = 15
    private static let margin = 24
    /// The space between the boxes of a column.
    private static let space = 16
    /// The number of users of a module from which on no arrows lead to it.
    private static let crowd = 7
    private static let colours = [
        "#1565c0", "#2e7d32", "#6a1b9a", "#ad1457", "#00838f", "#9e5700", "#4e342e", "#37474f",
    ]

    private let graph: ModuleGraph
    private var boxes: [Box]
    private var size = (width: 0, height: 0)
    /// The colours of the modules that many others need, keyed by index.
    private var crowded: [Int: String] = [:]

    package init(_ graph: ModuleGraph) {
        self.graph = graph
        boxes = graph.nodes.map { node in
            Box(lines: NodeText(node).lines.map { Line(text: $0, colour: $0.hasPrefix("lacks ") ? "#c62828" : "#555") })
        }
        var users: [Int: Int] = [:]
        for edge in graph.edges { users[edge.to, default: 0] += 1 }
        let many = users.filter { $0.value >= Self.crowd }.keys.sorted()
        for (number, node) in many.enumerated() { crowded[node] = Self.colours[number % Self.colours.count] }
        // A picture of about 3:2 fits most screens. A box also gets a line for about one need.
        let heights = boxes.map { $0.height + Self.lineHeight + Self.space }
        let area = heights.reduce(0, +) * (Self.width + Self.gap)
        var tall = 600
        while tall * tall * 3 / 2 < area { tall += 50 }
        let layout = GraphLayout(graph, rows: max(3, tall * max(1, heights.count) / max(1, heights.reduce(0, +))))
        for (number, column) in layout.columns.enumerated() {
            for node in column { boxes[node].left = Self.margin + number * (Self.width + Self.gap) }
        }
        for edge in graph.edges where !isDrawn(edge) {
            let (names, provider) = (edge.names.joined(separator: ", "), graph.nodes[edge.to].name)
            let text =
                edge.kind == .route ? "opens \(names)" : "uses \(names)" + (names == provider ? "" : " of \(provider)")
            boxes[edge.from].lines.append(Line(text: text, colour: crowded[edge.to] ?? "#555"))
        }
        for column in layout.columns {
            var top = Self.margin
            for node in column {
                boxes[node].top = top
                top += boxes[node].height + Self.space
            }
            size.height = max(size.height, top)
        }
        size.width = 2 * Self.margin + max(2, layout.columns.count) * (Self.width + Self.gap) - Self.gap
        size.height += 56
    }

    /// True if an arrow shows an edge.
    private func isDrawn(_ edge: ModuleGraph.Edge) -> Bool {
        crowded[edge.to] == nil && boxes[edge.to].left == boxes[edge.from].left + Self.width + Self.gap
    }

    /// The picture as a document.
    package var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
        viewBox="0 0 \(size.width) \(size.height)" font-family="sans-serif" font-size="12">
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
        <path d="M0 0 8 4 0 8z" fill="#78909c"/></marker></defs>
        <rect width="100%" height="100%" fill="#fff"/>
        \(graph.edges.map(arrow).joined())\(graph.nodes.indices.map(box).joined())\(graph.edges.map(caption).joined())\(legend)</svg>

        """
    }

    private func arrow(_ edge: ModuleGraph.Edge) -> String {
        if !isDrawn(edge) { return "" }
        let (from, to) = (boxes[edge.from], boxes[edge.to])
        let start = (x: from.left + Self.width, y: from.top + from.height / 2)
        let end = (x: to.left, y: to.top + to.height / 2)
        let colour = edge.kind == .contract ? "#8e6cc0" : "#78909c"
        let middle = (start.x + end.x) / 2
        let names = edge.names.joined(separator: ", ")
        let title = "\(graph.nodes[edge.from].name) → \(graph.nodes[edge.to].name): \(names)"
        return
            "<path d=\"M\(start.x) \(start.y)C\(middle) \(start.y) \(middle) \(end.y) \(end.x) \(end.y)\" fill=\"none\" "
            + "stroke=\"\(colour)\"\(edge.kind == .route ? " stroke-dasharray=\"5 4\"" : "") marker-end=\"url(#arrow)\">"
            + "<title>\(Self.escaped(title))</title></path>\n"
    }

    /// The names beside the head of an arrow. They are drawn last, with a border, so that no arrow crosses them.
    private func caption(_ edge: ModuleGraph.Edge) -> String {
        if !isDrawn(edge) { return "" }
        let to = boxes[edge.to]
        let text = (edge.names.first ?? "") + (edge.names.count > 1 ? " +\(edge.names.count - 1)" : "")
        return Self.label(
            to.left - 6, to.top + to.height / 2 - 5, Self.cut(text, to: 15),
            edge.kind == .contract ? "#7650b0" : "#546e7a",
            "text-anchor=\"end\" font-size=\"10\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"") + "\n"
    }

    private func box(_ index: Int) -> String {
        let (node, box) = (graph.nodes[index], boxes[index])
        let stroke = node.isRefused ? "#c62828" : crowded[index] ?? "#90a4ae"
        let style =
            "fill=\"\(node.isRefused ? "#fdecea" : node.state == "active" ? "#edf7ed" : "#f7f9fa")\" stroke=\"\(stroke)\" "
            + "stroke-width=\"\(node.isRefused || crowded[index] != nil ? 2 : 1)\""
            + (node.isIsolated ? " stroke-dasharray=\"7 3\"" : "")
        let title = Self.cut("\(node.name) \(node.version ?? "")", to: 26)
        var text =
            "<rect x=\"\(box.left)\" y=\"\(box.top)\" width=\"\(Self.width)\" height=\"\(box.height)\" rx=\"5\" \(style)/>"
            + Self.label(box.left + 9, box.top + 17, title, "#111", "font-weight=\"bold\"")
        if node.state != "resolved" {
            text += Self.label(
                box.left + Self.width - 9, box.top + 17, node.state, node.isRefused ? "#c62828" : "#2e7d32",
                "text-anchor=\"end\"")
        }
        for (number, line) in box.lines.enumerated() {
            text += Self.label(
                box.left + 9, box.top + Self.head + 8 + number * Self.lineHeight, Self.cut(line.text, to: 44),
                line.colour, "font-size=\"11\"")
        }
        return
            "<g><title>\(Self.escaped(([node.name] + box.lines.map(\.text)).joined(separator: "\n")))</title>\(text)</g>\n"
    }

    private var legend: String {
        let refused = graph.nodes.count(where: \.isRefused)
        let facts =
            "\(graph.nodes.count) modules, \(refused) refused, \(graph.nodes.count(where: \.isIsolated)) isolated"
        return Self.label(Self.margin, size.height - 40, "\(facts). Arrow: needs; dashed: opens its route.", "#555", "")
            + Self.label(
                Self.margin, size.height - 22, "Dashed box: runs in its own process. Colour: needed by many.", "#555",
                "")
    }

    private static func label(_ x: Int, _ y: Int, _ text: String, _ colour: String, _ style: String) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" fill=\"\(colour)\"\(style.isEmpty ? "" : " ")\(style)>\(escaped(text))</text>"
    }

    private static func cut(_ text: String, to count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }

    private static func escaped(_ text: String) -> String {
        [("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
            .reduce(printableLines(text).replacing("&", with: "&amp;")) { $0.replacing($1.0, with: $1.1) }
    }
}

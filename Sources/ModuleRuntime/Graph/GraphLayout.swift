/// The columns of a graph's modules. A module stands to the left of the modules that it needs, and the modules without any
/// connection come last.
struct GraphLayout {
    /// The modules of each column from top to bottom, as indices of the graph's nodes.
    private(set) var columns: [[Int]] = []
    /// The number of columns at the end whose modules have no connection.
    private(set) var looseCount = 0

    private let graph: ModuleGraph

    /// Creates a layout.
    ///
    /// - Parameter rows: The maximum number of modules in a column.
    init(_ graph: ModuleGraph, rows: Int) {
        self.graph = graph
        let connected = Set(graph.edges.flatMap { [$0.from, $0.to] })
        let depths = Self.depths(graph)
        let layers = Dictionary(grouping: connected, by: { depths[$0] })
        var places = [Double](repeating: 0, count: graph.nodes.count)
        // The providers first, so that each module can be placed beside those that it needs.
        let edges = Dictionary(grouping: graph.edges, by: \.from)
        var layout: [[Int]] = []
        for depth in layers.keys.sorted() {
            let layer = ordered(layers[depth, default: []], edges, beside: places)
            let parts = Self.parts(layer, of: rows)
            for part in parts {
                for (row, node) in part.enumerated() { places[node] = Double(row) / Double(part.count) }
            }
            layout += parts
        }
        layout.reverse()
        let loose = Self.parts(graph.nodes.indices.filter { !connected.contains($0) }, of: rows)
        (columns, looseCount) = (layout + loose, loose.count)
    }

    /// Returns the length of the longest chain of needs below each module. A cycle counts once.
    private static func depths(_ graph: ModuleGraph) -> [Int] {
        var needed = [[Int]](repeating: [], count: graph.nodes.count)
        for edge in graph.edges { needed[edge.from].append(edge.to) }
        var depths = [Int?](repeating: nil, count: graph.nodes.count)
        var isOpen = [Bool](repeating: false, count: graph.nodes.count)
        for start in graph.nodes.indices where depths[start] == nil {
            // Depth first, with a stack of its own: a chain of needs may be long.
            var path = [(node: start, next: 0)]
            isOpen[start] = true
            while let (node, next) = path.last {
                if next < needed[node].count {
                    path[path.count - 1].next += 1
                    let other = needed[node][next]
                    if depths[other] == nil, !isOpen[other] {
                        isOpen[other] = true
                        path.append((other, 0))
                    }
                    continue
                }
                depths[node] = (needed[node].compactMap { depths[$0] }.max() ?? -1) + 1
                isOpen[node] = false
                path.removeLast()
            }
        }
        return depths.map { $0 ?? 0 }
    }

    /// Returns the modules of a layer in the order of the modules that they need.
    ///
    /// - Parameter edges: The edges, keyed by the module that has the need.
    private func ordered(_ layer: [Int], _ edges: [Int: [ModuleGraph.Edge]], beside places: [Double]) -> [Int] {
        let members = Set(layer)
        let means = layer.map { node -> (Int, Double) in
            let others = edges[node, default: []].filter { !members.contains($0.to) }.map { places[$0.to] }
            return (node, others.isEmpty ? 1 : others.reduce(0, +) / Double(others.count))
        }
        let keys = Dictionary(uniqueKeysWithValues: means)
        func key(_ node: Int) -> Double { keys[node] ?? 1 }
        return layer.sorted { (key($0), graph.nodes[$0].name) < (key($1), graph.nodes[$1].name) }
    }

    /// Divides a layer into columns of about equal length.
    private static func parts(_ nodes: [Int], of rows: Int) -> [[Int]] {
        if nodes.isEmpty { return [] }
        let count = (nodes.count + rows - 1) / rows
        let length = (nodes.count + count - 1) / count
        return stride(from: 0, to: nodes.count, by: length).map { Array(nodes[$0..<min($0 + length, nodes.count)]) }
    }
}

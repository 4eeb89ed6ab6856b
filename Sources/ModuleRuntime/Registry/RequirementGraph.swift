/// A graph of the dependencies between modules. It is derived from the services that each module needs and provides.
///
/// Modules are identified by their indices. Building the graph takes time proportional to the number of services that
/// the modules list. Finding a cycle for every module takes no longer, because every path leads through the first
/// module of its group.
struct RequirementGraph {
    // Nodes are the modules, followed by the services. Edges lead from a module to the services that it needs, and from
    // a service to its providers.
    private let moduleCount: Int
    /// The group number of each node. All members of a group need each other, directly or indirectly.
    private let groups: [Int]
    /// The next node on the shortest path from a node to the first module of its group.
    private var next: [Int: Int] = [:]
    /// The previous node on the shortest path from the first module of its group to a node.
    private var previous: [Int: Int] = [:]

    /// Creates a graph.
    ///
    /// - Parameters:
    ///   - needs: The names of the services that each module needs.
    ///   - providers: A closure that returns the modules that provide a service.
    init(needs: [[String]], providers: (String) -> [Int]) {
        moduleCount = needs.count
        var edges = [[Int]](repeating: [], count: needs.count)
        var nodes: [String: Int] = [:]
        for (module, services) in needs.enumerated() {
            for service in services {
                if nodes[service] == nil {
                    nodes[service] = edges.count
                    edges.append(providers(service))
                }
                if let node = nodes[service] { edges[module].append(node) }
            }
        }
        groups = Self.groups(edges)
        findWays(edges)
    }

    /// Returns true if two modules need each other, directly or through other modules.
    func needEachOther(_ module: Int, _ other: Int) -> Bool { groups[module] == groups[other] }

    /// Returns the modules on a path from one module to another that it needs, or on a cycle back to the same module.
    ///
    /// - Returns: The modules on the path. Nil if the two modules are not on a common cycle. In a long path, a single
    ///   nil element replaces the modules in the middle.
    func way(from start: Int, to end: Int) -> [Int?]? {
        guard previous[start] != nil, needEachOther(start, end) else { return nil }
        let limit = 12
        var (head, node) = ([start], start)
        while head.count < limit, let step = next[node] {
            node = step
            if node < moduleCount { head.append(node) }
        }
        let root = next[node] == nil ? node : nil
        var tail: [Int] = []
        node = end
        var isWhole = root == end && start != end
        while tail.count < limit, !isWhole, let step = previous[node] {
            if node < moduleCount { tail.append(node) }
            node = step
            isWhole = node == root
        }
        guard isWhole, head.count + tail.count <= limit else {
            return head.prefix(4).map(Optional.some) + [nil] + tail.prefix(3).reversed().map(Optional.some)
        }
        return Self.withoutLoops(head + tail.reversed())
    }

    /// Returns a path with its loops removed. The path ends where it first reaches its last module.
    private static func withoutLoops(_ way: [Int]) -> [Int] {
        let end = way.dropFirst().firstIndex { $0 == way.last } ?? way.endIndex - 1
        return way[..<end].reduce(into: []) { result, module in
            if let index = result.firstIndex(of: module) { result.removeSubrange(index...) }
            result.append(module)
        } + [way[end]]
    }

    /// Finds the shortest paths from the first module in each group to all other members, and back.
    private mutating func findWays(_ edges: [[Int]]) {
        var sizes = [Int](repeating: 0, count: edges.count)
        for group in groups { sizes[group] += 1 }
        var reverse = [[Int]](repeating: [], count: edges.count)
        for (node, targets) in edges.enumerated() where sizes[groups[node]] > 1 {
            for target in targets where groups[target] == groups[node] { reverse[target].append(node) }
        }
        var isDone = [Bool](repeating: false, count: edges.count)
        for root in 0..<moduleCount where sizes[groups[root]] > 1 && !isDone[groups[root]] {
            isDone[groups[root]] = true
            walk(from: root, edges, \.previous)
            walk(from: root, reverse, \.next)
            next[root] = nil
        }
    }

    /// Traverses a group breadth-first and stores the predecessor of each node.
    private mutating func walk(from root: Int, _ edges: [[Int]], _ origin: WritableKeyPath<Self, [Int: Int]>) {
        var (waiting, place) = ([root], 0)
        while place < waiting.count {
            let node = waiting[place]
            place += 1
            for target in edges[node] where groups[target] == groups[root] && self[keyPath: origin][target] == nil {
                self[keyPath: origin][target] = node
                if target != root { waiting.append(target) }
            }
        }
    }

    /// Numbers the strongly connected components of a graph with an iterative form of Tarjan's algorithm.
    private static func groups(_ edges: [[Int]]) -> [Int] {
        var groups = [Int](repeating: -1, count: edges.count)
        var numbers = [Int](repeating: -1, count: edges.count)
        var lowest = numbers
        var (stack, path, count, number) = ([Int](), [(node: Int, edge: Int)](), 0, 0)
        for start in edges.indices where numbers[start] < 0 {
            path.append((start, 0))
            while let (node, edge) = path.last {
                if edge == 0 {
                    (numbers[node], lowest[node]) = (number, number)
                    number += 1
                    stack.append(node)
                }
                if edge < edges[node].count {
                    path[path.count - 1].edge += 1
                    let target = edges[node][edge]
                    if numbers[target] < 0 {
                        path.append((target, 0))
                    } else if groups[target] < 0 {
                        lowest[node] = min(lowest[node], numbers[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
                guard lowest[node] == numbers[node] else { continue }
                while let member = stack.popLast() {
                    groups[member] = count
                    if member == node { break }
                }
                count += 1
            }
        }
        return groups
    }
}

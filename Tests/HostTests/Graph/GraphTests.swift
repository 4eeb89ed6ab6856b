import Foundation
import HostDriver
import TestSupport
import Testing

/// `host graph`.
@Suite(.fewAtOnce)
struct GraphTests {
    private struct Graph: Decodable {
        struct Node: Decodable {
            var name: String
            var state: String
            var isIsolated: Bool
            var routes: [String]
            var lacks: [String]
            var fromHost: [String]
        }
        struct Edge: Decodable, Hashable {
            var from: String
            var to: String
            var kind: String
            var names: [String]
        }
        var nodes: [Node]
        var edges: [Edge]
    }

    private let root: ScratchRoot

    init() throws {
        root = try ScratchRoot()
        for module in ["people", "sqlite", "details", "alert"] { try root.copyManifest(module) }
        try root.folder.write(
            #"{ "use": { "data-provider": "sqlite" }, "isolate": ["alert"] }"#, to: "root/host.json")
        var needy = ManifestText("needy", library: "libNeedy.so", routes: ["needy"])
        needy.requires = ["telescope"]
        try root.add(needy)
    }

    @Test("The graph has each module with its state, and an edge for each need that another module meets")
    func json() async throws {
        let result = try await root.host("graph", "--format", "json")
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let graph = try JSONDecoder().decode(Graph.self, from: result.output)
        #expect(graph.nodes.map(\.name) == ["alert", "company-list", "details", "needy", "people", "sqlite"])
        #expect(graph.nodes.filter(\.isIsolated).map(\.name) == ["alert"])
        let needy = try #require(graph.nodes.first { $0.name == "needy" })
        #expect(needy.state == "refused" && needy.lacks == ["telescope"] && needy.routes == ["needy"])
        let people = graph.edges.filter { $0.from == "people" }
        #expect(people.contains(Graph.Edge(from: "people", to: "sqlite", kind: "service", names: ["data-provider"])))
        #expect(people.contains(Graph.Edge(from: "people", to: "alert", kind: "route", names: ["alert"])))
    }

    @Test("The picture is well-formed, marks the refused and isolated modules, and shows hostile names as text")
    func svg() async throws {
        try root.folder.write("{", to: "root/Manifests/<b>&\"evil\".json")
        let result = try await root.host("graph", "--format", "svg")
        #expect(result.ending == .code(0), "\(result)")
        let file = try root.folder.write(result.text, to: "graph.svg")
        let parsed = try await ChildProcess(
            "python3", ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", file]
        ).run()
        #expect(parsed.ending == .code(0), "\(parsed)")
        #expect(result.text.contains("<title>people → sqlite: data-provider</title>"))
        #expect(result.text.contains("7 modules, 2 refused, 1 isolated"))
        #expect(result.text.contains("&lt;b&gt;&amp;&quot;evil&quot;"))
        let mermaid = try await root.host("graph").text
        #expect(mermaid.hasPrefix("graph LR\n    m0[\""))
        #expect(mermaid.contains(" (refused)<br>routes needy<br>lacks telescope\"]:::refused\n"), "\(mermaid)")
        #expect(mermaid.contains("runs in its own process\"]:::isolated\n"), "\(mermaid)")
        #expect(mermaid.contains("#lt;b#gt;#amp;#quot;evil#quot;"), "\(mermaid)")
    }

    @Test("No two boxes of a picture with 200 modules overlap, and no arrow leads to a module that many need")
    func large() async throws {
        for number in 0..<200 {
            var manifest = ManifestText("m\(number)", library: "libNeedy.so", routes: ["m\(number)/a", "m\(number)/b"])
            manifest.requires = number > 0 ? ["s\(number / 3)"] : []
            manifest.optional = number > 2 ? ["s0"] : []
            manifest.provides = ["s\(number)"]
            try root.add(manifest)
        }
        let text = try await root.host("graph", "--format", "svg").text
        let boxes = text.matches(of: /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" rx/).compactMap { match in
            [match.1, match.2, match.3, match.4].compactMap { Int($0) }
        }
        #expect(boxes.count == 206)
        for (number, box) in boxes.enumerated() {
            let isClear = boxes[(number + 1)...].allSatisfy { other in
                box[0] + box[2] <= other[0] || other[0] + other[2] <= box[0] || box[1] + box[3] <= other[1]
                    || other[1] + other[3] <= box[1]
            }
            #expect(isClear)
        }
        #expect(!text.contains("→ m0:") && text.contains("uses s0 of m0"))
    }
}

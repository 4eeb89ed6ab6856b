import Foundation
import HostDriver
import Testing

/// Tests that the sources follow the rules of the architecture, and that the article on the architecture matches them.
struct ArchitectureTests {
    private static let files = Result { try SourceFile.all() }
    private static let targets = ["ViperKit"] + ArchitecturePage.targets

    @Test("no folder of a target uses another one that uses it, directly or through others", arguments: targets)
    func folders(target: String) throws {
        let files = try Self.files.get()
        #expect(files.contains { $0.target == target })
        #expect(FolderGraph(of: target, files).cycle == nil)
    }

    @Test("the graph of folders has the uses of types, functions and members of extensions")
    func uses() throws {
        let graph = FolderGraph(of: "ModuleRuntime", try Self.files.get())
        #expect(graph.uses["Registry"]?["Generations"]?.contains("Generation") == true)
        #expect(graph.uses["Generations"]?["Registry"] == nil)
        let files = [
            ("T/A/A.swift", "struct A { var b = B() } // C()\nextension B {\n    func far() {}\n}"),
            ("T/B/B.swift", "struct B {}\nfunc free() {}\nlet text = \"A() \\(C.self)\""),
            ("T/C/C.swift", "enum C {} /* A() */ // B(\nfunc c() { free(); B().far() }"),
        ].map { SourceFile(path: $0, text: $1) }
        let uses = FolderGraph(of: "T", files).uses
        #expect(uses["A"] == ["B": ["B"]])
        #expect(uses["B"] == ["C": ["C"]])
        #expect(uses["C"] == ["A": ["far"], "B": ["B", "free"]])
        #expect(FolderGraph(of: "T", files).cycle?.hasPrefix("A uses B (B); B uses C (C); C uses A (far)") == true)
    }

    @Test("a target imports only those above it, and the map draws what it imports")
    func imports() throws {
        let page = try ArchitecturePage()
        let tests = try FileManager.default.contentsOfDirectory(atPath: "\(Products.repository)/Tests")
        for target in ArchitecturePage.targets {
            let all = try Self.files.get().filter { $0.target == target }.reduce(into: Set<String>()) {
                $0.formUnion($1.imports)
            }
            let imports = all.intersection(ArchitecturePage.targets)
            let above = ArchitecturePage.targets.prefix { $0 != target }
            #expect(imports.isSubset(of: above), "\(target)")
            #expect(imports.isSubset(of: page.reachable(from: target)), "\(target)")
            #expect(all.isDisjoint(with: tests), "\(target)")
            #expect(imports.isSuperset(of: page.arrows[target, default: []]), "\(target)")
        }
    }

    @Test("the map has every target and every folder, and no other")
    func map() throws {
        let files = try Self.files.get()
        let page = try ArchitecturePage()
        #expect(Set(files.map(\.target)) == Set(Self.targets))
        #expect(page.folders.keys.sorted() == Self.targets.sorted())
        for target in Self.targets {
            let folders = Set(files.filter { $0.target == target && !$0.folder.isEmpty }.map(\.folder))
            #expect(page.folders[target] == folders, "\(target)")
        }
    }
}

/// The article on the architecture.
private struct ArchitecturePage {
    /// The Swift targets except ViperKit, which all targets may import. The lowest target is first.
    static let targets = [
        "HostSystem", "JSONRPC", "DataProviders", "ModuleCatalog", "ModuleRuntime", "ModuleIsolation", "ViperRuntime",
        "ViperTesting", "host", "HostDriver", "bench", "soak", "floor",
    ]

    /// The arrows in the diagram of the targets.
    private(set) var arrows: [String: Set<String>] = [:]
    /// The folders in the table of each target.
    private(set) var folders: [String: Set<String>] = [:]

    init() throws {
        let file = "\(Products.repository)/Sources/ViperKit/Documentation.docc/Architecture.md"
        var target: String?
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            if let arrow = line.wholeMatch(of: #/    (\w+) --> (\w+)/#) {
                arrows[String(arrow.1), default: []].insert(String(arrow.2))
            }
            if let heading = line.wholeMatch(of: #/### `(\w+)`/#) {
                target = String(heading.1)
                folders[String(heading.1)] = []
            } else if line.hasPrefix("## ") {
                target = nil
            }
            if let target, let row = line.firstMatch(of: #/^\| `([\w/]+)` +\|/#) {
                folders[target, default: []].insert(String(row.1))
            }
        }
    }

    /// Returns the targets that arrows lead to, directly or through other targets.
    func reachable(from target: String) -> Set<String> {
        let next = arrows[target, default: []]
        return next.reduce(into: next) { $0.formUnion(reachable(from: $1)) }
    }
}

import Foundation

/// The public declarations of modules with their doc comments, as plain Markdown. It is made from symbol graphs, as
/// `swift-symbolgraph-extract` writes them.
struct Reference {
    /// The parts of a symbol graph that the reference shows.
    struct Graph: Decodable {
        struct Module: Decodable { var name: String }
        struct Symbol: Decodable {
            struct Kind: Decodable { var identifier: String }
            struct Identifier: Decodable { var precise: String }
            struct Names: Decodable { var title: String }
            struct Comment: Decodable {
                struct Line: Decodable { var text: String }
                /// The module that the comment belongs to. A declaration without a comment inherits that of its
                /// protocol, which may be in another module.
                var module: String?
                var lines: [Line]
            }
            struct Fragment: Decodable { var spelling: String }
            var kind: Kind
            var identifier: Identifier
            var names: Names
            var pathComponents: [String]
            var docComment: Comment?
            var declarationFragments: [Fragment]?
        }
        struct Relationship: Decodable {
            var kind: String
            var source: String
            var target: String
            var targetFallback: String?
        }
        var module: Module
        var symbols: [Symbol]
        var relationships: [Relationship]
    }

    private static let types: Set = ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.func"]
    /// The order of members below their type.
    private static let order = [
        "swift.enum.case", "swift.associatedtype", "swift.init", "swift.type.property", "swift.property",
        "swift.subscript", "swift.type.method", "swift.method", "swift.func.op",
    ]

    /// Returns the part of the reference for one module.
    static func text(of graph: Graph) -> String {
        let symbols = graph.symbols.filter { $0.docComment?.module == graph.module.name }
        let sections = symbols.filter { types.contains($0.kind.identifier) }
            .sorted { $0.pathComponents.joined(separator: ".") < $1.pathComponents.joined(separator: ".") }
        var text = "\n## \(graph.module.name)\n"
        for type in sections {
            text += "\n### \(type.pathComponents.joined(separator: "."))\n"
            text += entry(of: type, conformances: conformances(of: type, in: graph))
            let members = symbols.filter {
                $0.pathComponents.dropLast() == type.pathComponents[...] && !types.contains($0.kind.identifier)
            }
            // A requirement and its default implementation have the same comment.
            var shown: Set<String> = []
            for entry in members.sorted(by: { key($0) < key($1) }).map({ entry(of: $0) }) {
                if shown.insert(entry).inserted { text += entry }
            }
        }
        return text
    }

    private static func key(_ symbol: Graph.Symbol) -> (Int, String, String) {
        (order.firstIndex(of: symbol.kind.identifier) ?? order.count, symbol.names.title, symbol.identifier.precise)
    }

    private static func entry(of symbol: Graph.Symbol, conformances: [String] = []) -> String {
        let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        var text = "\n    \(declaration)\n\n\(comment(symbol.docComment?.lines.map(\.text) ?? []))"
        if !conformances.isEmpty { text += "\nConforms to \(conformances.joined(separator: ", ")).\n" }
        return text
    }

    /// Returns the protocols of the documented modules that a type conforms to.
    private static func conformances(of type: Graph.Symbol, in graph: Graph) -> [String] {
        graph.relationships.filter { $0.kind == "conformsTo" && $0.source == type.identifier.precise }
            .compactMap { relationship in
                let known = graph.symbols.first { $0.identifier.precise == relationship.target }
                if let known { return known.pathComponents.joined(separator: ".") }
                guard let name = relationship.targetFallback, name.hasPrefix("ViperKit.") else { return nil }
                return String(name.dropFirst("ViperKit.".count))
            }
            .sorted().map { "`\($0)`" }
    }

    /// Returns a doc comment as Markdown that needs no DocC. Its blocks of code become indented ones, and its links
    /// become names.
    private static func comment(_ lines: [String]) -> String {
        var (text, isCode) = ("", false)
        for line in lines {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                text += line.isEmpty ? "\n" : "    \(line)\n"
            } else {
                let named = line.replacing(/``(?:ViperKit\/|ModuleRuntime\/|ViperTesting\/)?([^`]+)``/) { "`\($0.1)`" }
                text += named.replacing(/<doc:(\w+)>/) { "[\($0.1)](\($0.1).md)" } + "\n"
            }
        }
        return text
    }
}

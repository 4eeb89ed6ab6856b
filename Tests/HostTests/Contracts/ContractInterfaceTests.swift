import Testing

@testable import host

/// Comparisons of interfaces, as the compiler writes them.
struct ContractInterfaceTests {
    private static let first = """
        // swift-interface-format-version: 1.0
        import Swift
        public protocol Greeter : Swift.Sendable {
          func greet(_ name: Swift.String) async throws(ViperKit.ViperError) -> API.Greeting
          var language: Swift.String { get }
        }
        public struct Greeting : Swift.Sendable {
          public var text: Swift.String
          public init(text: Swift.String)
        }
        @frozen public enum Tone {
          case plain
          public var name: Swift.String {
            get
          }
        }
        public enum Mood {
          case good
        }
        """

    private func changes(_ old: String, _ new: String) throws -> [ContractInterface.Change] {
        let after = Self.first.replacing(old, with: new)
        try #require(after != Self.first)
        return ContractInterface(after).incompatibilities(with: ContractInterface(Self.first))
    }

    @Test("An added declaration is found, and so is an added conformance")
    func additions() {
        let first = ContractInterface(Self.first)
        #expect(first.additions(to: first) == [])
        let later = Self.first.replacing(
            "public struct Greeting : Swift.Sendable {",
            with: "public struct Greeting : Swift.Equatable, Swift.Sendable {\n  public var length: Swift.Int")
        #expect(
            ContractInterface(later).additions(to: first).map(\.declaration) == [
                "public struct Greeting : Swift.Equatable", "public struct Greeting → public var length: Swift.Int",
            ])
    }

    @Test("An equal interface, and one with other comments and imports, is compatible")
    func equal() throws {
        let first = ContractInterface(Self.first)
        #expect(first.incompatibilities(with: first) == [])
        #expect(try changes("import Swift\n", "// a note\nimport Glibc\n@_exported import Other\n") == [])
    }

    @Test(
        "An addition is compatible",
        arguments: [
            ("public enum Mood {", "public enum Mood {\n  case bad"),
            ("  public init(text: Swift.String)", "  public init(text: Swift.String)\n  public var count: Swift.Int"),
            ("public struct Greeting : Swift.Sendable {", "public struct Greeting : Swift.Equatable, Swift.Sendable {"),
            ("public enum Mood {", "public protocol Other {\n  func run()\n}\npublic enum Mood {"),
            (
                "  case plain", "  case plain\n  public var length: Swift.Int {\n    get\n  }"
            ),
            (
                "{ get }\n}",
                "{ get }\n  func end() async\n  var count: Swift.Int { get }\n}\nextension API.Greeter {\n"
                    + "  public func end() async\n  public var count: Swift.Int {\n    get\n  }\n}"
            ),
        ])
    func addition(old: String, new: String) throws { #expect(try changes(old, new) == []) }

    @Test(
        "A change of a declaration, of its isolation or of its errors is incompatible",
        arguments: [
            ("  public var text: Swift.String\n", "", "public struct Greeting → public var text: Swift.String"),
            (
                "  public var text: Swift.String\n", "  public var text: Swift.String {\n    get\n  }\n",
                "public struct Greeting → public var text: Swift.String"
            ),
            ("public init(text", "public init(words", "public struct Greeting → public init(text: Swift.String)"),
            ("Greeting : Swift.Sendable {", "Greeting {", "public struct Greeting : Swift.Sendable"),
            ("{ get }", "{ get set }", "public protocol Greeter : Swift.Sendable → var language: Swift.String { get }"),
            (
                "async throws(ViperKit.ViperError)", "async throws",
                "public protocol Greeter : Swift.Sendable → func greet(_ name: Swift.String) async "
                    + "throws(ViperKit.ViperError) -> API.Greeting"
            ),
        ])
    func change(old: String, new: String, declaration: String) throws {
        let changes = try changes(old, new)
        #expect(changes.contains(.init(kind: .missing, declaration: declaration)), "\(changes)")
    }

    @Test("A removed type is reported once, without its members")
    func removal() throws {
        #expect(
            try changes("public enum Mood {\n  case good\n}", "") == [
                .init(kind: .missing, declaration: "public enum Mood")
            ])
    }

    @Test(
        "A requirement needs a default implementation for all conforming types",
        arguments: ["", "extension API.Greeter where Self == API.Other {\n  public func end() async\n}"])
    func requirement(defaults: String) throws {
        #expect(
            try changes("{ get }\n}", "{ get }\n  func end() async\n}\n\(defaults)") == [
                .init(kind: .requirement, declaration: "public protocol Greeter : Swift.Sendable → func end() async")
            ])
    }

    @Test("A frozen type may gain neither a case nor a stored property")
    func frozen() throws {
        #expect(
            try changes("  case plain", "  case plain\n  case loud") == [
                .init(kind: .frozen, declaration: "@frozen public enum Tone → case loud")
            ])
    }
}

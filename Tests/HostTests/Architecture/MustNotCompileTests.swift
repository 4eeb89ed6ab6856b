import HostDriver
import TestSupport
import Testing

/// ViperKit's rules for modules that the compiler enforces.
@Suite(.fewAtOnce)
struct MustNotCompileTests {
    private static let mistakes = [
        (
            "a registrar for another module",
            "final class Sly: Module { init(services: any ServiceResolver) {}; static func register(with registrar: Registrar<Minimal>) {} }",
            "type 'Sly' does not conform to protocol 'Module'"
        ),
        (
            "reading registrations", "@MainActor func f(_ registrar: Registrar<Minimal>) { _ = registrar.routes }",
            "value of type 'Registrar<Minimal>' has no member 'routes'"
        ),
        (
            "packing by itself", "@MainActor func f() { _ = ModuleEntry.packed(Minimal.self) }",
            "'packed' is inaccessible due to 'internal' protection level"
        ),
        (
            "marking another Swift", "func f() { Compiler.swift_6_3() }",
            "'swift_6_3' is inaccessible due to 'internal' protection level"
        ),
        (
            "changing a request", "func f(_ request: RouteRequest) { request.route = \"other\" }",
            "cannot assign to property: 'route' is a 'let' constant"
        ),
        (
            "reading a result without decoding it", "func f(_ result: SceneResult) { _ = result.coder }",
            "value of type 'SceneResult' has no member 'coder'"
        ),
        (
            "a service key of one type for another's service",
            "func f(_ services: any ServiceResolver) throws { let _: any Logger = try services.resolve(.fileReader) }",
            "value of type 'any FileReader' does not conform to specified type 'Logger'"
        ),
        (
            "a service that is not safe from many tasks",
            "final class Box { var x = 0 }; static let key = ServiceKey<Box>(\"b\")",
            "type 'Box' does not conform to the 'Sendable' protocol"
        ),
        (
            "a view off the main actor", "func f(_ view: any View) -> Screen { view.screen }",
            "main actor-isolated property 'screen' can not be referenced from a nonisolated context"
        ),
        (
            "an error code without a kind",
            "extension ViperError.Code { static var odd: Self { Self(\"odd\") } }",
            "missing argument for parameter #2 in call"
        ),
    ]

    @Test("The compiler refuses code that breaks ViperKit's rules", arguments: mistakes)
    func refused(what: String, source: String, error: String) async throws {
        // As in a host's SDK, only ViperKit is available to the module.
        let errors = try await Self.errors(in: Self.mistakes.map { ($0.0, $0.1) }, sdk: .released("1.0"))
        #expect(errors.contains { $0.hasPrefix("\(what):") && $0.contains("error: \(error)") }, "\(errors)")
    }

    @Test("A module cannot import the host's inside")
    func inside() async throws {
        let output = try await Self.output(of: "import ViperRuntime", .released("1.0"))
        #expect(output.contains("error: no such module 'ViperRuntime'"), "\(output)")
    }

    /// Compiles all sources together, because most of the time of a compiler is its start. Returns the errors, each of
    /// which starts with the name of its source.
    private static func errors(
        in sources: [(name: String, text: String)], sdk: SDKBuild = .products
    ) async throws -> [String] {
        let texts = sources.enumerated().map { index, source in
            // An extension cannot be nested.
            let isNested = !source.text.hasPrefix("extension ")
            return """
                #sourceLocation(file: "\(source.name)", line: 1)
                \(isNested ? "enum Source\(index) { \(source.text) }" : source.text)
                #sourceLocation()
                """
        }
        let all = ([ModuleFixture.minimal("viper_entry_v1_Sly")] + texts).joined(separator: "\n")
        let lines = try await output(of: all, sdk).split(separator: "\n")
        return lines.filter { $0.contains(": error: ") }.map { String($0).replacing(/Source\d+\./, with: "") }
    }

    /// Returns the compiler's output for a module that it must refuse.
    private static func output(of source: String, _ sdk: SDKBuild) async throws -> String {
        var changed = ModuleFixture("Sly", source)
        changed.sdk = sdk
        let fixture = changed
        return try await #require(throws: ChildFailure.self) { _ = try await fixture.compiled() }.description
    }

    /// A presenter and a screen whose actions, fields and rows are typed.
    private static let shop = """
        enum ShopAction: String, ActionID { case add, close }
        enum ShopField: String, FieldID { case name, age }
        enum ShopRow: String, RowID { case basket, order }

        protocol ShopPresenting: Presenter where SceneAction == ShopAction, SceneField == ShopField, SceneRow == ShopRow {}

        final class ShopPresenter: ShopPresenting {
            func load() async {}
            func press(_ action: ShopAction) async {
                switch action {
                case .add: break
                case .close: break
                }
            }
            func fill(_ field: ShopField, with text: String) async {
                switch field {
                case .name: break
                case .age: break
                }
            }
            func select(_ row: ShopRow) async {
                switch row {
                case .basket: break
                case .order: break
                }
            }
        }

        func show(_ screen: inout Screen) {
            screen.actions = [Action(ShopAction.add)]
            screen.form = Form(fields: [Field(id: ShopField.name, value: "")])
            screen.sections = [Section(rows: [Row(id: ShopRow.basket, title: "Basket")])]
            screen.alert = Alert(title: "", message: nil, actions: [ShopAction.add, .close])
        }
        """

    @Test("The compiler takes a presenter that handles each of its actions, fields and rows")
    func handled() async throws {
        _ = try await ModuleFixture("Shop", ModuleFixture.minimal("viper_entry_v1_Shop") + "\n" + Self.shop).compiled()
    }

    private static let misspellings = [
        ("Action(ShopAction.add)", "Action(ShopAction.ad)", "type 'ShopAction' has no member 'ad'"),
        (", .close]", ", .clos]", "type 'ShopAction' has no member 'clos'"),
        ("case .add:", "case .ad:", "type 'ShopAction' has no member 'ad'"),
        ("Field(id: ShopField.name", "Field(id: ShopField.nam", "type 'ShopField' has no member 'nam'"),
        ("case .age:", "case .aeg:", "type 'ShopField' has no member 'aeg'"),
        ("id: ShopRow.basket", "id: ShopRow.baskte", "type 'ShopRow' has no member 'baskte'"),
        ("case .order:", "case .oder:", "type 'ShopRow' has no member 'oder'"),
        ("case .close: break", "", "switch must be exhaustive"),
        ("case .age: break", "", "switch must be exhaustive"),
        ("case .order: break", "", "switch must be exhaustive"),
        ("func press(", "func pres(", "type 'ShopPresenter' does not conform to protocol 'Presenter'"),
        ("func fill(", "func fil(", "type 'ShopPresenter' does not conform to protocol 'Presenter'"),
        ("func select(", "func selct(", "type 'ShopPresenter' does not conform to protocol 'Presenter'"),
    ]

    @Test("The compiler refuses a misspelt or forgotten action, field or row", arguments: misspellings)
    func misspelt(right: String, wrong: String, error: String) async throws {
        let shops = Self.misspellings.map { right, wrong, _ in
            (name: "\(right) → \(wrong)", text: Self.shop.replacing(right, with: wrong))
        }
        try #require(!shops.contains { $0.text == Self.shop })
        let errors = try await Self.errors(in: shops)
        #expect(
            errors.contains { $0.hasPrefix("\(right) → \(wrong):") && $0.contains("error: \(error)") }, "\(errors)")
    }
}

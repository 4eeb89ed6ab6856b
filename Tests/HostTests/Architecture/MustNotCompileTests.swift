import HostDriver
import TestSupport
import Testing

/// ViperKit's rules for modules that the compiler enforces.
@Suite(.fewAtOnce)
struct MustNotCompileTests {
    @Test(
        "The compiler refuses code that breaks ViperKit's rules",
        arguments: [
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
                "final class Box { var x = 0 }; let key = ServiceKey<Box>(\"b\")",
                "type 'Box' does not conform to the 'Sendable' protocol"
            ),
            (
                "a view off the main actor", "func f(_ view: any View) -> Screen { view.screen }",
                "main actor-isolated property 'screen' can not be referenced from a nonisolated context"
            ),
            ("the host's inside", "import ViperRuntime", "no such module 'ViperRuntime'"),
            (
                "an error code without a kind",
                "extension ViperError.Code { static var odd: Self { Self(\"odd\") } }",
                "missing argument for parameter #2 in call"
            ),
        ])
    func refused(what: String, source: String, error: String) async throws {
        // As in a host's SDK, only ViperKit is available to the module.
        let fixture = ModuleFixture("Sly", ModuleFixture.minimal("viper_entry_v1_Sly") + "\n" + source)
        let failure = await #expect(throws: ChildFailure.self, "\(what)") {
            var fixture = fixture
            fixture.sdk = .released("1.0")
            _ = try await fixture.compiled()
        }
        #expect(
            failure.map { "\($0)" }?.contains("error: \(error)") == true, "\(what): \(failure.map { "\($0)" } ?? "")")
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

    private static func compile(_ shop: String) async throws {
        _ = try await ModuleFixture("Shop", ModuleFixture.minimal("viper_entry_v1_Shop") + "\n" + shop).compiled()
    }

    @Test("The compiler takes a presenter that handles each of its actions, fields and rows")
    func handled() async throws { try await Self.compile(Self.shop) }

    @Test(
        "The compiler refuses a misspelt or forgotten action, field or row",
        arguments: [
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
        ])
    func misspelt(right: String, wrong: String, error: String) async throws {
        let shop = Self.shop.replacing(right, with: wrong)
        try #require(shop != Self.shop)
        let failure = await #expect(throws: ChildFailure.self, "\(wrong)") { try await Self.compile(shop) }
        #expect(
            failure.map { "\($0)" }?.contains("error: \(error)") == true, "\(wrong): \(failure.map { "\($0)" } ?? "")")
    }
}

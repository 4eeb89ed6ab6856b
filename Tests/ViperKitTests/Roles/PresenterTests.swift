import Testing
import ViperKit

private enum ShopAction: String, ActionID {
    case add, pay

    var title: String {
        switch self {
        case .add: "Add an item"
        case .pay: "Pay"
        }
    }
}

private enum ShopField: String, FieldID {
    case name, amount

    var kind: Field.Kind {
        switch self {
        case .name: .text
        case .amount: .number
        }
    }
}

/// Rows of two kinds.
private enum ShopRow: RowID {
    case item(Int)
    case basket

    init?(_ id: String) {
        if id == "basket" {
            self = .basket
        } else if let number = Int(id) {
            self = .item(number)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .item(let number): "\(number)"
        case .basket: "basket"
        }
    }
}

private struct NoCoder: JSONCoder {
    let error = ViperError(.jsonInvalid, operation: "cannot use", subject: "JSON", cause: "of the test")

    func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8], named name: String) throws(ViperError)
        -> Value
    { throw error }

    func encode(_ value: any Encodable) throws(ViperError) -> [UInt8] { throw error }
}

private let result = SceneResult(json: Array("1".utf8), coder: NoCoder())

private protocol ShopPresenting: Presenter
where SceneAction == ShopAction, SceneField == ShopField, SceneRow == ShopRow {}

@MainActor
struct PresenterTests {
    private final class Shop: ShopPresenting {
        var calls: [String] = []
        func load() { calls.append("load") }
        func press(_ action: ShopAction) { calls.append("press \(action)") }
        func fill(_ field: ShopField, with text: String) { calls.append("fill \(field)=\(text)") }
        func select(_ row: ShopRow) { calls.append("select \(row)") }
        func act(_ action: ShopAction, on row: ShopRow) { calls.append("\(action) \(row)") }
        func returned(from route: String, result: SceneResult) { calls.append("returned \(route)") }
    }

    private final class Plain: Presenter {
        var loads = 0
        func load() { loads += 1 }
    }

    @Test("A presenter handles each event by the method with the event's action, field, row or route")
    func events() async {
        let shop = Shop()
        let presenter: any ShopPresenting = shop
        await presenter.load()
        await presenter.handle(.press(action: "add"))
        await presenter.handle(.fill(field: "amount", text: "2"))
        await presenter.handle(.select(row: "7"))
        await presenter.handle(.select(row: "basket"))
        await presenter.handle(.act(row: "basket", action: "pay"))
        await presenter.handle(.returned(from: "item", result: result))
        #expect(
            shop.calls == [
                "load", "press add", "fill amount=2", "select 7", "select basket", "pay basket", "returned item",
            ])
    }

    @Test("A presenter ignores events for unknown actions, fields and rows")
    func unknown() async {
        let shop = Shop()
        for id in ["", "Add", "add ", "item(7)", "07", "+7", "Basket"] {
            await shop.handle(.press(action: id))
            await shop.handle(.fill(field: id, text: "2"))
            await shop.handle(.select(row: id))
            await shop.handle(.act(row: id, action: "add"))
            await shop.handle(.act(row: "basket", action: id))
        }
        #expect(shop.calls == [])
    }

    @Test("A presenter without actions, fields and rows only loads, and ignores all events")
    func plain() async {
        let plain = Plain()
        let presenter: any Presenter = plain
        await presenter.load()
        for event in [.press(action: "add"), .fill(field: "", text: ""), .select(row: "NoID")] as [Event] {
            await presenter.handle(event)
        }
        await presenter.handle(.returned(from: "item", result: result))
        #expect(plain.loads == 1)
    }
}

struct IDTests {
    @Test("An action has its ID and its own title")
    func actions() {
        #expect(Action(ShopAction.add) == Action(id: "add", title: "Add an item"))
        let alert = Alert(title: "No", message: "of the test", actions: [ShopAction.pay, .add])
        #expect(alert.actions == [Action(id: "pay", title: "Pay"), Action(id: "add", title: "Add an item")])
        #expect(alert.title == "No" && alert.message == "of the test")
    }

    @Test("A field has its ID, label, kind and error")
    func fields() {
        #expect(
            Field(id: ShopField.name, value: "Tea") == Field(id: "name", label: "Name", value: "Tea", kind: .text))
        var field = Field(id: "amount", label: "Amount", value: "x", kind: .number)
        field.error = "must be a number"
        #expect(Field(id: ShopField.amount, value: "x", error: "must be a number") == field)
    }

    @Test(
        "Without a title or label, the words of the ID are displayed",
        arguments: [
            ("close", "Close"), ("addPerson", "Add person"), ("showURL", "Show URL"), ("openURLNow", "Open URL now"),
            ("phone2Call", "Phone2 call"), ("addAPerson", "Add a person"), ("Log In", "Log In"), ("log-in", "Log-in"),
            ("名", "名"), ("ß", "SS"), ("", ""),
        ])
    func defaults(id: String, title: String) {
        struct Some: ActionID, FieldID {
            var rawValue: String
            init?(rawValue: String) { self.rawValue = rawValue }
        }
        #expect(Some(rawValue: id)?.title == title)
        #expect(Some(rawValue: id)?.label == title)
        #expect(Some(rawValue: id)?.kind == .text)
    }

    @Test("A row's ID is the text of its identity")
    func rows() {
        enum Part: String, RowID { case head, tail = "end" }
        #expect(Row(id: 7, title: "A") == Row(id: "7", title: "A"))
        #expect(Row(id: ShopRow.item(-7), title: "A", detail: "B") == Row(id: "-7", title: "A", detail: "B"))
        #expect(Row(id: Part.tail, title: "A", detail: nil) == Row(id: "end", title: "A"))
        #expect(Part("end") == .tail && Part("tail") == nil)
    }
}

import ViperKit

/// A screen with most parts.
func sampleScreen() -> Screen {
    var screen = Screen(title: "Order")
    screen.image = Screen.Image(path: "logo.svg", alternative: "Tea House")
    screen.message = "Added Bread"
    screen.alert = Alert(title: "Not ordered", message: "The server is busy.", actions: [OrderAction.retry])
    screen.text = "Two things are in your basket."
    screen.sections = [basket(), sales()]
    var day = Field(id: OrderField.day, value: "2026-11-25")
    day.help = "The shop delivers on all days."
    screen.form = Form(fields: [
        Field(id: OrderField.name, value: "Ada"),
        Field(id: OrderField.number, value: "x", error: "must be a number"),
        day,
        Field(id: OrderField.gift, value: "card"),
        Field(id: OrderField.news, value: "false"),
        Field(id: OrderField.pin, value: "1234"),
    ])
    screen.actions = [Action(OrderAction.order), Action(OrderAction.cancel)]
    screen.actions[0].disabledReason = "the shop opens at 8"
    screen.progress = Screen.Progress(fraction: 0.6, text: "Reading the prices")
    screen.isLoading = true
    return screen
}

private func basket() -> Section {
    var tea = Row(id: 7, title: "Tea", detail: "12.50")
    (tea.text, tea.badge, tea.tone, tea.isChecked) = ("Green\nFrom Uji", "new", .success, true)
    tea.actions = [Action(OrderAction.remove)]
    var bread = Row(id: 12, title: "Bread", detail: "3.10")
    bread.isChecked = false
    var basket = Section(title: "Basket", rows: [tea, bread])
    basket.kind = .table
    basket.columns = [.init("Item"), .init("Price", alignment: .trailing)]
    basket.more = Section.More(Action(OrderAction.more), shown: 2, of: 2_000)
    basket.footer = "Prices include taxes."
    return basket
}

private func sales() -> Section {
    var sales = Section(
        title: "Sales",
        rows: [("September", 7), ("October", 11)].map { month, sold in
            var row = Row(id: month, title: month, detail: "\(sold)")
            (row.numbers, row.isSelectable) = ([Double(sold)], false)
            return row
        })
    (sales.kind, sales.columns) = (.barChart, [.init("Month"), .init("Teas", alignment: .trailing)])
    return sales
}

enum OrderAction: String, ActionID {
    case order, cancel, retry, remove, more

    var role: Action.Role? {
        switch self {
        case .order: .default
        case .cancel: .cancel
        case .remove: .destructive
        case .retry: .refresh
        case .more: nil
        }
    }
    var key: String? { self == .order ? "o" : nil }
}

enum OrderField: String, FieldID {
    case name, number, day, gift, news, pin

    var kind: Field.Kind {
        switch self {
        case .name: .text
        case .number: .number
        case .day: .date
        case .gift: .choice
        case .news: .toggle
        case .pin: .password
        }
    }
    var isRequired: Bool { self == .name }
    var options: [Field.Option] {
        self == .gift ? [.init(id: "no", title: "no"), .init(id: "card", title: "With a card")] : []
    }
}

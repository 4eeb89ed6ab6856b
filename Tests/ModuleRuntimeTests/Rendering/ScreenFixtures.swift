import ViperKit

/// A screen in which every part has content.
var everythingScreen: Screen {
    var screen = Screen(title: "People")
    screen.text = "Two lines\nof text"
    screen.sections = [
        Section(
            title: "COMSTAR",
            rows: [
                Row(id: "1", title: "Ada", detail: "36"), Row(id: "2", title: "Maximilian Ito", detail: "7"),
                Row(id: "3", title: "No detail at all, and longer than the others"),
            ]),
        Section(rows: [Row(id: "4", title: "Without a heading", detail: "1")]),
    ]
    screen.emptyText = "Nobody else"
    var age = Field(id: "age", label: "Age", value: "x", kind: .number)
    age.error = "is no number"
    screen.form = Form(fields: [Field(id: "given", label: "Given name", value: "Ada", kind: .text), age])
    screen.actions = [Action(id: "save", title: "Save"), Action(id: "close", title: "Close")]
    screen.alert = Alert(
        title: "Not saved", message: "The disk is full", actions: [Action(id: "retry", title: "Try again")])
    screen.isLoading = true
    return screen
}

/// A screen with the parts that refine others: tables, charts, marks, and rows and actions that cannot be used.
var refinedScreen: Screen {
    var screen = Screen(title: "Shop")
    screen.image = Screen.Image(path: "logo.png", alternative: "A tea leaf")
    screen.message = "Saved"
    screen.progress = Screen.Progress(fraction: 0.256, text: "Reading")
    var tea = Row(id: "1", title: "Tea", detail: "2.50")
    (tea.cells, tea.text, tea.badge, tea.tone) = (["7"], "Green\nFrom Uji", "new", .success)
    (tea.isChecked, tea.image) = (true, Screen.Image(path: "tea.png", alternative: ""))
    tea.actions = [Action(id: "remove", title: "Remove", role: .destructive)]
    var bread = Row(id: "2", title: "Bread", detail: "13.10")
    (bread.isSelectable, bread.isChecked) = (false, false)
    var table = Section(title: "Basket", rows: [tea, bread])
    table.kind = .table
    table.columns = [.init("Item"), .init("Price", alignment: .trailing), .init("Number", alignment: .trailing)]
    table.footer = "Prices include\ntaxes"
    table.more = Section.More(Action(id: "more", title: "More"), status: "2 of 20")
    var chart = Section(title: "Sales", rows: [Row(id: "may", title: "May", detail: "7")])
    (chart.kind, chart.columns, chart.rows[0].numbers) = (.barChart, [.init("Month"), .init("Sold")], [7])
    screen.sections = [table, chart]
    var gift = Field(id: "gift", label: "Gift", value: "", kind: .choice)
    gift.options = [.init(id: "no", title: "no"), .init(id: "card", title: "With a card")]
    (gift.isRequired, gift.placeholder, gift.help) = (true, "no", "A card costs nothing.")
    screen.form = Form(fields: [gift, Field(id: "news", label: "News", value: "false", kind: .toggle)])
    var order = Action(id: "order", title: "Order", role: .default)
    (order.disabledReason, order.key) = ("the shop is closed", "o")
    screen.actions = [order, Action(id: "again", title: "Read again", role: .refresh)]
    return screen
}

/// A screen without rows, which offers to add one.
var emptyScreen: Screen {
    var screen = Screen(title: "Notes")
    (screen.emptyText, screen.emptyAction) = ("No notes yet", Action(id: "add", title: "Write one"))
    return screen
}

extension Action {
    fileprivate init(id: String, title: String, role: Role) {
        self.init(id: id, title: title)
        self.role = role
    }
}

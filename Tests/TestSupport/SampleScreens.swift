public import ViperKit

/// Screens that together have every part of the vocabulary.
public enum SampleScreens {
    public static let all: [(name: String, screen: Screen)] = [
        ("everything", everything), ("form", form), ("charts", charts), ("empty", empty), ("loading", loading),
        ("confirmation", confirmation), ("unknown", unknown), ("hebrew", hebrew),
    ]

    public static var everything: Screen {
        var screen = Screen(title: "Tea shop")
        screen.image = Screen.Image(path: "logo.png", alternative: "A tea leaf")
        screen.message = "Saved Sencha"
        screen.progress = Screen.Progress(fraction: 0.256, text: "Reading 51,200 of 200,000 teas")
        screen.alert = Alert(
            title: "Not ordered", message: "The server is busy.\nYour basket is kept.",
            actions: [action("retry", "Try again", .default), action("dismiss", "Back", .cancel)])
        screen.text = "Everything that is in the shop.\nPrices include taxes."
        var search = Field(id: "search", label: "Search", value: "sen", kind: .search)
        (search.placeholder, search.help) = ("name of a tea", "Finds names and places.")
        screen.form = Form(fields: [search])
        var footer = Section(title: "Teas", rows: rows)
        footer.footer = "Weights are those of a packet.\nWater is not included."
        footer.more = Section.More(action("more", "Show more"), status: "4 of 2,000")
        var table = Section(title: "Basket", rows: tableRows)
        (table.kind, table.footer) = (.table, "Two things")
        table.columns = [.init("Item"), .init("Price", alignment: .trailing), .init("Number", alignment: .trailing)]
        screen.sections = [footer, table]
        var order = action("order", "Order", .default)
        order.key = "o"
        var gift = action("gift", "Wrap as a gift")
        gift.disabledReason = "the paper is sold out"
        screen.actions = [
            order, gift, action("clear", "Empty the basket", .destructive), action("again", "Refresh", .refresh),
        ]
        return screen
    }

    private static var rows: [Row] {
        var sencha = Row(id: "1", title: "Sencha", detail: "2.50")
        (sencha.text, sencha.badge, sencha.tone) = ("Green\nFrom Uji, picked in May", "new", .success)
        (sencha.isChecked, sencha.image) = (true, Screen.Image(path: "tea leaf/1.png", alternative: ""))
        sencha.actions = [action("remove", "Remove", .destructive)]
        var oolong = Row(
            id: "2", title: "Oolong with a rather long name that does not fit into a line", detail: "13.10")
        (oolong.isChecked, oolong.badge, oolong.tone) = (false, "last", .warning)
        var pekoe = Row(id: "3", title: "Pekoe", detail: "sold out")
        (pekoe.isSelectable, pekoe.tone) = (false, .muted)
        var mate = Row(id: "4", title: "Mate")
        (mate.tone, mate.badge, mate.text) = (.danger, "recalled", "Do not drink")
        return [sencha, oolong, pekoe, mate]
    }

    private static var tableRows: [Row] {
        var tea = Row(id: "t1", title: "Sencha", detail: "2.50")
        (tea.cells, tea.text) = (["7"], "In a tin")
        tea.actions = [action("less", "Fewer"), action("drop", "Remove", .destructive)]
        var bread = Row(id: "t2", title: "Bread", detail: "13.10")
        (bread.cells, bread.isSelectable, bread.badge) = (["1,200"], false, "fresh")
        return [tea, bread]
    }

    public static var form: Screen {
        var screen = Screen(title: "Settings")
        var name = Field(id: "name", label: "Name", value: "Ada <Lovelace> & \"Co\"", kind: .text)
        (name.isRequired, name.help) = (true, "As it is on the parcel.")
        var age = Field(id: "age", label: "Age", value: "x", kind: .number)
        age.error = "must be a whole number"
        var born = Field(id: "born", label: "Date of birth", value: "1815-12-10", kind: .date)
        born.help = "We send a tea."
        let vague = Field(id: "vague", label: "Date of the order", value: "next week", kind: .date)
        var pin = Field(id: "pin", label: "Pin", value: "1234", kind: .password)
        pin.isRequired = true
        var notes = Field(id: "notes", label: "Notes", value: "\nTwo lines\nof text", kind: .multiline)
        notes.placeholder = "Anything else"
        var news = Field(id: "news", label: "Send news", value: "true", kind: .toggle)
        news.help = "Not more than once a month."
        var size = Field(id: "size", label: "Size", value: "l", kind: .choice)
        size.options = [.init(id: "s", title: "Small"), .init(id: "l", title: "Large")]
        var kinds = Field(id: "kinds", label: "Kinds", value: "black,green", kind: .choices)
        kinds.options = [
            .init(id: "green", title: "Green"), .init(id: "black", title: "Black"), .init(id: "red", title: "Rooibos"),
        ]
        kinds.error = "choose one"
        screen.form = Form(fields: [name, age, born, vague, pin, notes, news, size, kinds])
        screen.actions = [action("save", "Save", .default), action("cancel", "Cancel", .cancel)]
        return screen
    }

    public static var charts: Screen {
        var screen = Screen(title: "Balances")
        let names = ["COMSTAR", "EXOSWITCH", "QUILITY", "A company with a long name", "VENDBLEND"]
        var bars = Section(
            title: "By company",
            rows: names.enumerated().map { index, name in
                var row = Row(
                    id: "b\(index)", title: name,
                    detail: ["$2,107.15", "$-3,000.00", "$40.00", "$9,999.99", "$0.00"][index])
                row.numbers = [[2107.15, -3000, 40, 9999.99, 0][index]]
                return row
            })
        (bars.kind, bars.columns) = (.barChart, [.init("Company"), .init("Balance", alignment: .trailing)])
        let values: [(Double, Double)] = [(1, 7), (4, 5), (2, 6), (9, 8), (12.5, 3), (11, 2)]
        let months = ["May", "June", "July", "August", "September", "October"]
        var lines = Section(
            title: "By month",
            rows: zip(months, values).map { month, value in
                var row = Row(id: month, title: month, detail: "\(value.0)")
                (row.cells, row.numbers) = (["\(value.1)"], [value.0, value.1])
                return row
            })
        (lines.kind, lines.footer) = (.lineChart, "In thousands")
        lines.columns = [.init("Month"), .init("Sold", alignment: .trailing), .init("Returned", alignment: .trailing)]
        var pair = lines
        (pair.kind, pair.title) = (.barChart, "Both")
        pair.rows = pair.rows.prefix(3).map { row in
            var row = row
            row.id += " pair"
            return row
        }
        screen.sections = [bars, lines, pair]
        return screen
    }

    public static var empty: Screen {
        var screen = Screen(title: "Notes")
        (screen.emptyText, screen.emptyAction) = ("No notes yet", action("add", "Write a note", .default))
        return screen
    }

    public static var loading: Screen {
        var screen = Screen(title: "People")
        screen.isLoading = true
        return screen
    }

    public static var confirmation: Screen {
        var screen = Screen(title: "Remove Bob?")
        screen.text = "This cannot be undone."
        screen.actions = [action("confirm", "Remove", .destructive), action("cancel", "Cancel", .cancel)]
        return screen
    }

    public static var unknown: Screen {
        var screen = Screen(title: "From the future")
        var map = Section(title: "Map", rows: [Row(id: "1", title: "Uji")])
        map.kind = .init(rawValue: "map")
        var empty = Section(rows: [])
        empty.kind = .init(rawValue: "globe")
        screen.sections = [map, empty]
        screen.form = Form(fields: [
            Field(id: "face", label: "Face", value: "secret of the face", kind: .init(rawValue: "face"))
        ])
        screen.actions = [action("go", "Go", .init(rawValue: "jump"))]
        return screen
    }

    public static var hebrew: Screen {
        var screen = Screen(title: "רשימת אנשים")
        var row = Row(id: "1", title: "דוד לוי", detail: "36")
        row.text = "שורה ראשונה\nEnglish in between"
        row.actions = [action("remove", "הסר", .destructive)]
        screen.sections = [Section(title: "חברה", rows: [row, Row(id: "2", title: "Ada Lovelace", detail: "7")])]
        screen.form = Form(fields: [Field(id: "name", label: "שם", value: "דוד", kind: .text)])
        screen.actions = [action("save", "שמור", .default)]
        return screen
    }

    public static func action(_ id: String, _ title: String, _ role: Action.Role? = nil) -> Action {
        var action = Action(id: id, title: title)
        action.role = role
        return action
    }
}

import Testing
import ViperKit

@testable import ModuleRuntime

struct TextRendererTests {
    private func text(_ screen: Screen, isColoured: Bool = false) -> String {
        TextRenderer(style: TextStyle(isColoured: isColoured)).render(screen)
    }

    private func list(_ rows: [(String, String?)]) -> Screen {
        var screen = Screen(title: "t")
        screen.sections = [Section(rows: rows.map { Row(id: $0.0, title: $0.0, detail: $0.1) })]
        return screen
    }

    @Test("A screen with only a title is a heading")
    func bare() {
        #expect(text(Screen(title: "Hello")) == "Hello\n")
    }

    @Test("Every part of a screen has its place")
    func everything() {
        #expect(
            text(everythingScreen) == """
                People
                ! Not saved
                  The disk is full
                  [retry] Try again
                Two lines
                of text
                COMSTAR
                  Ada                 36
                  Maximilian Ito      7
                  No detail at all, and longer than the others
                  Without a heading   1
                  Given name   [Ada]
                  Age          [x]  ! is no number
                  [save] Save
                  [close] Close
                Loading …

                """)
    }

    @Test("A table has heads, aligned columns and a footer, and a row its marks, lines and actions")
    func refined() {
        #expect(
            text(refinedScreen) == """
                Shop
                  (A tea leaf)
                ✓ Saved
                Basket
                  Item        Price   Number
                  [x] Tea      2.50        7  (new)  [remove] Remove
                    Green
                    From Uji
                  [ ] Bread   13.10
                  [more] More  2 of 20
                  Prices include
                  taxes
                Sales
                  Month   Sold
                  May     7
                  Gift *   [no]  (no, card: With a card)
                  A card costs nothing.
                  News     [false]  (true or false)
                  [order] Order (the shop is closed)
                  [again] Read again
                Reading 25 % …

                """)
    }

    @Test("A screen without rows offers its action, and one with rows does not")
    func emptyAction() {
        var screen = emptyScreen
        #expect(text(screen) == "Notes\n  No notes yet\n  [add] Write one\n")
        #expect(screen.choices == [.press(action: "add")])
        screen.sections = [Section(rows: [Row(id: "1", title: "Tea")])]
        #expect(text(screen) == "Notes\n  Tea\n" && screen.choices == [.select(row: "1")])
    }

    @Test("Only what can be chosen has a number")
    func numbersOfChoices() {
        let shown = TextRenderer(style: TextStyle(isColoured: false), isNumbered: true).render(refinedScreen)
        #expect(
            refinedScreen.choices == [
                .select(row: "1"), .select(row: "may"), .press(action: "more"), .press(action: "again"),
            ])
        for line in ["  1  [x] Tea", "     [ ] Bread", "  2  May", "  3  [more]", "     [order]", "  4  [again]"] {
            #expect(shown.contains("\n\(line)"), "\(shown)")
        }
    }

    @Test(
        "A password field shows only whether it is filled in",
        arguments: [("", ""), ("x", "••••••••"), ("a long\n one", "••••••••")])
    func password(value: String, seen: String) {
        var screen = Screen(title: "t")
        screen.form = Form(fields: [Field(id: "p", label: "Password", value: value, kind: .password)])
        #expect(text(screen) == "t\n  Password   [\(seen)]\n")
    }

    @Test("A section and a field of an unknown kind are named, and the field's value is hidden")
    func unknownKinds() {
        var screen = list([("a", "1")])
        screen.sections[0].title = "S"
        screen.sections[0].kind = Section.Kind(rawValue: "chart\u{1B}")
        screen.form = Form(fields: [
            Field(id: "a", label: "Shade", value: "x", kind: Field.Kind(rawValue: "colour\n")),
            Field(id: "b", label: "B", value: "", kind: Field.Kind(rawValue: "shade")),
        ])
        #expect(
            text(screen) == """
                t
                S
                  (chart\u{FFFD}: this version cannot show it)
                  a   1
                  Shade   [••••••••]  (colour\u{FFFD}: this version cannot show it)
                  B       []  (shade: this version cannot show it)

                """)
        #expect(screen.choices == [.select(row: "a")])
    }

    @Test("A section of an unknown kind without rows is not reported as empty")
    func unknownIsNotEmpty() {
        var screen = list([])
        screen.emptyText = "No people"
        #expect(text(screen) == "t\n  No people\n")
        screen.sections[0].kind = Section.Kind(rawValue: "chart")
        #expect(text(screen) == "t\n  (chart: this version cannot show it)\n")
    }

    @Test("Details form one column in all sections, after the widest title that has a detail")
    func column() {
        var screen = list([("a", "1"), ("a title without detail decides nothing", nil)])
        screen.sections.append(Section(title: "S", rows: [Row(id: "2", title: "wide", detail: "2")]))
        #expect(text(screen) == "t\n  a      1\n  a title without detail decides nothing\nS\n  wide   2\n")
    }

    @Test("Wide and combining characters are aligned as in a terminal")
    func wide() {
        #expect(
            text(list([("日本", "1"), ("e\u{301}te\u{301}", "2"), ("abcd", "3"), ("🎈", "4"), ("ｗ", "5")])) == """
                t
                  日本   1
                  e\u{301}te\u{301}    2
                  abcd   3
                  🎈     4
                  ｗ     5

                """)
    }

    @Test("Control characters are replaced in every part of a screen")
    func control() {
        let bad = "a\u{1B}[2J\tb\u{7F}\u{9B}c\r"
        let clean = "a\u{FFFD}[2J\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}"
        var screen = Screen(title: bad)
        screen.text = bad
        screen.sections = [Section(title: bad, rows: [Row(id: "1", title: bad, detail: bad)])]
        screen.emptyText = bad
        var field = Field(id: bad, label: bad, value: bad, kind: .text)
        field.error = bad
        screen.form = Form(fields: [field])
        screen.actions = [Action(id: bad, title: bad)]
        screen.alert = Alert(title: bad, message: bad, actions: [])
        #expect(
            text(screen) == """
                \(clean)
                ! \(clean)
                  \(clean)
                \(clean)
                \(clean)
                  \(clean)   \(clean)
                  \(clean)   [\(clean)]  ! \(clean)
                  [\(clean)] \(clean)

                """)
    }

    @Test("The text for an empty screen is shown only if there are no rows")
    func empty() {
        var screen = Screen(title: "t")
        screen.emptyText = "Nobody\u{1B}"
        #expect(text(screen) == "t\n  Nobody\u{FFFD}\n")
        #expect(text(screen, isColoured: true).hasSuffix("  \u{1B}[2mNobody\u{FFFD}\u{1B}[0m\n"))
        screen.sections = [Section(title: "S", rows: [])]
        #expect(text(screen) == "t\nS\n  Nobody\u{FFFD}\n")
        screen.sections = [Section(rows: [Row(id: "1", title: "Ada")])]
        #expect(text(screen) == "t\n  Ada\n")
    }

    @Test("Each line of an alert's message is indented, and control characters are replaced")
    func message() {
        var screen = Screen(title: "t")
        screen.alert = Alert(
            title: "No", message: "a\n  response  \u{1B}[2Jb\r\n\nc\n! d", actions: [Action(id: "x", title: "X")])
        #expect(
            text(screen) == """
                t
                ! No
                  a
                    response  \u{FFFD}[2Jb\u{FFFD}
                \("  ")
                  c
                  ! d
                  [x] X

                """)
    }

    @Test("Text keeps its empty lines")
    func emptyLines() {
        var screen = Screen(title: "t")
        screen.text = "\na\n\nb\n"
        #expect(text(screen) == "t\n\na\n\nb\n\n")
    }

    @Test("Color marks headings, details, errors and hints, and changes no character")
    func colour() {
        var screen = list([("a", "1")])
        screen.sections[0].title = "S"
        screen.alert = Alert(title: "A", message: nil, actions: [])
        screen.isLoading = true
        let (bold, dim, red, end) = ("\u{1B}[1m", "\u{1B}[2m", "\u{1B}[31m", "\u{1B}[0m")
        #expect(
            text(screen, isColoured: true) == """
                \(bold)t\(end)
                \(red)! A\(end)
                \(bold)S\(end)
                  a   \(dim)1\(end)
                \(dim)Loading …\(end)

                """)
        let plain = [bold, dim, red, end].reduce(text(screen, isColoured: true)) { $0.replacing($1, with: "") }
        #expect(plain == text(screen))
    }

    @Test("Rows, the alert's actions and the screen's actions are numbered in this order")
    func numbers() {
        var screen = everythingScreen
        let shown = TextRenderer(style: TextStyle(isColoured: false), isNumbered: true).render(screen)
        for (index, title) in ["Ada", "Maximilian Ito", "No detail", "Without a", "[retry]", "[save]"].enumerated() {
            #expect(shown.contains("  \(index + 1)  \(title)"), "\(shown)")
        }
        let rows = ["1", "2", "3", "4"].map { Event.select(row: $0) }
        #expect(screen.choices == rows + ["retry", "save", "close"].map { .press(action: $0) })
        screen.sections[1].rows += (5...9).map { Row(id: "\($0)", title: "more") }
        let wider = TextRenderer(style: TextStyle(isColoured: false), isNumbered: true).render(screen)
        #expect(wider.contains("   1  Ada") && wider.contains("  12  [close] Close\n"), "\(wider)")
    }
}

import Testing
import ViperKit

@testable import Terminal

struct ListTests {
    @Test("The arrows move through rows and scroll, and Enter selects")
    func arrows() {
        var model = Model(.rows(30))
        #expect(model.focusedLine == "› Row 0")
        model.type(.down, .down)
        #expect(model.focusedLine == "› Row 2")
        #expect(model.type(.enter) == [.send(.select(row: "2"))])
        for _ in 0..<20 { model.type(.down) }
        #expect(model.focusedLine == "› Row 22")
        model.type(.end)
        #expect(model.focusedLine == "› Row 29")
        #expect(model.shown.hasSuffix("30 of 30"))
        model.type(.home, .up)
        #expect(model.focusedLine == "› Row 0")
        model.type(.pageDown)
        #expect(model.focusedLine == "› Row 9")
    }

    @Test("Below the last row come the actions, which Enter presses")
    func actions() {
        var screen = Screen.rows(2)
        screen.actions = [Action(id: "add", title: "Add"), Action(id: "close", title: "Close")]
        var model = Model(screen)
        model.type(.down, .down)
        #expect(model.type(.enter) == [.send(.press(action: "add"))])
        model.finish(.send(.press(action: "add")))
        model.type(.right)
        #expect(model.scene.focus == .action("close"))
        model.type(.up)
        #expect(model.focusedLine == "› Row 1")
        model.type(.tab)
        #expect(model.scene.focus == .action("add"))
        model.type(.backTab)
        #expect(model.focusedLine == "› Row 1")
    }

    @Test("A live change keeps the focus on its row, and the row where it is")
    func liveRows() {
        var model = Model(.rows(30))
        for _ in 0..<15 { model.type(.down) }
        let line = model.content.firstIndex(of: "› Row 15")
        var screen = Screen.rows(30)
        screen.sections[0].rows.insert(Row(id: "new", title: "New"), at: 0)
        model.show(screen)
        #expect(model.focusedLine == "› Row 15")
        #expect(model.content.firstIndex(of: "› Row 15") == line)
        screen.sections[0].rows.removeAll { $0.id == "15" }
        model.show(screen)
        #expect(model.focusedLine == "› Row 16")
    }

    @Test("Until the user has moved, the focus is on the first row")
    func untouched() {
        var screen = Screen(title: "Test")
        screen.actions = [Action(id: "add", title: "Add")]
        screen.actions[0].key = "a"
        var model = Model(screen)
        #expect(model.scene.focus == .action("add"))
        #expect(model.type(.text("a")) == [.send(.press(action: "add"))])
        model.finish(.send(.press(action: "add")))
        screen.sections = [Section(rows: [Row(id: "1", title: "Ada")])]
        model.show(screen)
        #expect(model.focusedLine == "› Ada", "\(model.scene)")
        model.type(.tab)
        screen.sections[0].rows.append(Row(id: "2", title: "Bob"))
        model.show(screen)
        #expect(model.scene.focus == .action("add"))
    }

    @Test("Going back finds the scene below as it was left")
    func back() {
        var model = Model(.rows(30))
        model.type(.pageDown, .pageDown)
        let before = model.shown
        model.show(Screen(title: "Detail"), routes: ["test", "detail"])
        #expect(model.content[0] == " test › Detail")
        #expect(model.type(.escape) == [.back])
        model.show(.rows(30))
        #expect(model.shown == before)
    }

    @Test("The filter narrows with each letter, and Escape shows all rows")
    func filter() {
        var model = Model(.rows(300))
        model.type(.text("/"), .text("R"), .text("O"), .text("w"), .text(" "), .text("2"), .text("9"))
        #expect(model.shown.contains("Filter: ROw 29"))
        #expect(model.shown.hasSuffix("11 of 300"))
        #expect(model.focusedLine == "› Row 29")
        model.type(.down, .enter)
        #expect(model.type(.enter) == [.send(.select(row: "290"))])
        model.finish(.send(.select(row: "290")))
        model.type(.escape)
        #expect(model.focusedLine == "› Row 290")
        #expect(model.scene.rowCounts.shown == 300)
    }

    @Test("The filter ignores case, also of letters that are not ASCII, and finds details and cells")
    func filterText() {
        #expect(Needle("ärz").isFound(in: "MÄRZ"))
        #expect(Needle("RZ").isFound(in: "März"))
        #expect(!Needle("rzx").isFound(in: "März"))
        var row = Row(id: "1", title: "Ada", detail: "36")
        row.cells = ["London"]
        var model = Model(Screen(rows: [row, Row(id: "2", title: "Bob")]))
        model.type(.text("/"), .text("l"), .text("o"))
        #expect(model.scene.rowCounts.shown == 1)
        model.type(.backspace, .backspace)
        #expect(model.scene.rowCounts.shown == 2)
    }

    @Test("With a search field, / moves to it")
    func search() {
        var screen = Screen.rows(3)
        screen.form = Form(fields: [Field(id: "q", label: "Search", value: "", kind: .search)])
        var model = Model(screen)
        #expect(model.focusedLine == "› Row 0")
        model.type(.text("/"))
        #expect(model.type(.text("x")) == [.send(.fill(field: "q", text: "x"))])
    }

    @Test("A click selects, and the wheel scrolls")
    func mouse() {
        var model = Model(.rows(30))
        #expect(model.type(.click(row: 2, column: 3)) == [.send(.select(row: "1"))])
        model.type(.wheel(3))
        #expect(model.content[1] == "  Row 3")
        model.type(.down)
        #expect(model.focusedLine == "› Row 3")
    }

    @Test("A row's actions open with →, and a key presses one; a disabled one tells its reason")
    func rowActions() {
        var row = Row(id: "1", title: "Ada")
        row.actions = [Action(id: "edit", title: "Edit"), Action(id: "delete", title: "Delete")]
        row.actions[1].key = "d"
        var model = Model(Screen(rows: [row]))
        model.type(.right)
        #expect(model.shown.contains("│ › Edit"))
        #expect(model.shown.contains("d: Delete"))
        model.type(.down)
        #expect(model.type(.enter) == [.send(.act(row: "1", action: "delete"))])
        model.finish(.send(.act(row: "1", action: "delete")))
        #expect(model.type(.text("d")) == [.send(.act(row: "1", action: "delete"))])
        model.finish(.send(.act(row: "1", action: "delete")))
        row.actions[1].disabledReason = "is in use"
        model.show(Screen(rows: [row]))
        #expect(model.type(.text("d")) == [])
        #expect(model.shown.contains("Delete: is in use"))
    }

    @Test("While the module handles a press, the same screen accepts no other")
    func busy() {
        var model = Model(.rows(3))
        for effect in model.type(.enter) { model.begin(effect) }
        #expect(model.type(.enter) == [])
        model.type(.down)
        #expect(model.focusedLine == "› Row 1")
        model.end(.send(.select(row: "0")), nil)
        #expect(model.type(.enter) == [.send(.select(row: "1"))])
    }

    @Test("Columns fit the widest text, also if its row is far below")
    func widths() {
        var model = Model(
            Screen(rows: (1...3_000).map { Row(id: "\($0)", title: "Row \($0)", detail: "\($0 * 7)") }), columns: 20)
        #expect(model.focusedLine == "› Row 1     7")
        model.type(.end)
        #expect(model.focusedLine == "› Row 3000  21000")
    }

    @Test("100,000 rows are laid out only where they are visible")
    func many() {
        var model = Model(.rows(100_000), rows: 24, columns: 80)
        let clock = ContinuousClock()
        let time = clock.measure {
            for _ in 0..<200 {
                model.type(.pageDown)
                _ = model.draw()
            }
            model.type(.end)
            _ = model.draw()
        }
        #expect(model.focusedLine?.hasPrefix("› Row 99999") == true)
        // The limit only finds work that grows with the rows: 201 keys would take minutes.
        #expect(time < .seconds(60), "\(time)")
    }
}

import Testing
import ViperKit

@testable import Terminal

struct ScreenPartTests {
    @Test(
        "Each frame has as many lines as the terminal, and none is wider",
        arguments: [(1, 1), (3, 10), (6, 20), (24, 80)])
    func size(rows: Int, columns: Int) {
        var screen = Screen.rows(50)
        screen.title = "名前 " + String(repeating: "long ", count: 20)
        screen.text = String(repeating: "text ", count: 40)
        screen.actions = (0..<9).map { Action(id: "\($0)", title: "Action \($0)") }
        screen.form = Form(fields: [.text("name", String(repeating: "名", count: 50))])
        screen.alert = Alert(title: "Alert", message: screen.text, actions: screen.actions)
        var model = Model(screen, rows: rows, columns: columns)
        for key in [Key.down, .tab, .help] {
            let frame = model.draw()
            #expect(frame.lines.count == rows)
            #expect(frame.lines.allSatisfy { $0.width <= columns }, "\(frame.text)")
            model.type(key)
        }
    }

    @Test("The list of keys begins with the screen's own, and tells that it is cut on a low terminal")
    func keys() {
        var screen = Screen(title: "T")
        screen.actions = [Action(id: "write", title: "Write a note")]
        screen.actions[0].key = "n"
        var model = Model(screen, rows: 30, columns: 60)
        model.type(.help)
        #expect(model.content.contains { $0.contains("│ n              Write a note") }, "\(model.shown)")
        #expect(model.shown.contains("q Ctrl-C       end") && !model.shown.contains("…"), "\(model.shown)")
        model = Model(screen, rows: 12, columns: 60)
        model.type(.help)
        #expect(model.shown.contains("n              Write a note"), "\(model.shown)")
        #expect(model.content.contains { $0.contains("│ … ") } && !model.shown.contains("Ctrl-C"), "\(model.shown)")
    }

    @Test("A table has heads and aligned columns, and narrow columns if the terminal is narrow")
    func table() {
        var section = Section(rows: [
            Row(id: "1", title: "Bertha Irwin of a long name", detail: "$2,107.15"),
            Row(id: "2", title: "Bob", detail: "$1"),
        ])
        section.kind = .table
        section.columns = [.init("Name"), .init("Balance", alignment: .trailing)]
        var screen = Screen(title: "T")
        screen.sections = [section]
        #expect(
            Model(screen, columns: 44).content[1...3] == [
                "  Name                           Balance", "› Bertha Irwin of a long name  $2,107.15",
                "  Bob                                 $1",
            ])
        #expect(Model(screen, columns: 30).content[2] == "› Bertha Irwin o…  $2,107.15")
    }

    @Test("A bar chart draws bars by the largest number, and a negative one with a sign")
    func bars() {
        var rows = [Row(id: "1", title: "A", detail: "10"), Row(id: "2", title: "B", detail: "-5")]
        (rows[0].numbers, rows[1].numbers) = ([10], [-5])
        var section = Section(rows: rows)
        section.kind = .barChart
        var screen = Screen(title: "T")
        screen.sections = [section]
        let lines = Model(screen, columns: 25).content
        #expect(lines[1] == "› A  ██████████████ 10")
        #expect(lines[2] == "  B  -███████ -5")
    }

    @Test("A bar keeps its colour when its row has the focus")
    func focusedBar() {
        var row = Row(id: "1", title: "A", detail: "10")
        row.numbers = [10]
        var section = Section(rows: [row])
        section.kind = .barChart
        var screen = Screen(title: "T")
        screen.sections = [section]
        let line = Model(screen).draw().lines[1]
        #expect(line.text.hasPrefix("› A") && line.spans.first?.style.isReversed == true)
        #expect(line.spans.first { $0.text.contains("█") }?.style.isReversed == false)
    }

    @Test("If nothing can be done with the rows, the first action that removes nothing has the focus")
    func facts() {
        var rows = (0..<30).map { Row(id: "\($0)", title: "Row \($0)") }
        for index in rows.indices { rows[index].isSelectable = false }
        var screen = Screen(title: "T", rows: rows)
        var remove = Action(id: "remove", title: "Remove")
        remove.role = .destructive
        screen.actions = [remove, Action(id: "close", title: "Close")]
        var model = Model(screen)
        #expect(model.scene.focus == .action("close") && model.focusedLine == nil)
        // The rows still scroll.
        model.type(.down, .pageDown)
        #expect(!model.shown.contains("Row 0") && model.shown.contains("Row 10"))
        #expect(model.type(.enter) == [.send(.press(action: "close"))])
        #expect(model.type(.click(row: 2, column: 3)) == [] && model.scene.focus == .action("close"))
        screen.sections[0].rows[3].isSelectable = true
        #expect(Model(screen).focusedLine == "› Row 0")
    }

    @Test("Numbers that are not finite do not stop a chart", arguments: [Section.Kind.barChart, .lineChart])
    func notFinite(kind: Section.Kind) {
        var row = Row(id: "1", title: "A")
        row.numbers = [.nan, .infinity, 1, -.greatestFiniteMagnitude, .greatestFiniteMagnitude]
        var section = Section(rows: [row, row])
        section.kind = kind
        var screen = Screen(title: "T")
        screen.sections = [section]
        #expect(Model(screen).content.count > 2)
    }

    @Test("Numbers whose halves do not differ are drawn as a line in the middle")
    func smallest() {
        var rows = (0..<2).map { Row(id: "\($0)", title: "\($0)") }
        (rows[0].numbers, rows[1].numbers) = ([0], [.leastNonzeroMagnitude])
        var section = Section(rows: rows)
        section.kind = .lineChart
        var screen = Screen(title: "T")
        screen.sections = [section]
        #expect(Model(screen).shown.contains("▅▅"))
    }

    @Test("A line chart draws levels above its rows")
    func line() {
        var rows = (0..<8).map { Row(id: "\($0)", title: "\($0)") }
        for index in rows.indices { rows[index].numbers = [Double(index)] }
        var section = Section(rows: rows)
        (section.kind, section.columns) = (.lineChart, [.init(""), .init("Height")])
        var screen = Screen(title: "T")
        screen.sections = [section]
        #expect(Model(screen).shown.contains("Height  ▁▂▃▄▅▆▇█"))
    }

    @Test("Progress, a message and an empty screen are shown")
    func states() {
        var screen = Screen(title: "T")
        screen.progress = .init(fraction: 0.5, text: "Reading")
        #expect(Model(screen).shown.hasSuffix("█████░░░░░ 50 %  Reading"))
        screen.progress = nil
        screen.message = "Saved"
        (screen.emptyText, screen.emptyAction) = ("Nothing yet", Action(id: "add", title: "Add"))
        var model = Model(screen)
        #expect(model.shown.hasSuffix(" ✓ Saved"))
        #expect(model.shown.contains("  Nothing yet\n› [ Add ]"))
        #expect(model.type(.enter) == [.send(.press(action: "add"))])
    }

    @Test("More rows are offered below a section, and texts below rows")
    func more() {
        var screen = Screen.rows(1)
        screen.sections[0].more = .init(Action(id: "more", title: "More"), status: "1 of 2")
        screen.sections[0].footer = "Footer"
        screen.sections[0].rows[0].text = "first\nsecond"
        screen.sections[0].rows[0].badge = "new"
        screen.sections[0].rows[0].isChecked = true
        var model = Model(screen)
        #expect(
            model.content[1...5] == [
                "› [x] Row 0  (new)", "    first", "    second", "  [ More ]  1 of 2", "  Footer",
            ])
        #expect(model.type(.down, .enter) == [.send(.press(action: "more"))])
    }

    @Test("Hostile texts change nothing but text")
    func hostile() {
        let texts = ["\u{1B}[31mred", "a\u{202E}b", "a\rb\u{8}", "\u{9B}2J", String(repeating: "x", count: 1 << 20)]
        for text in texts {
            var row = Row(id: text, title: text, detail: text)
            (row.cells, row.text, row.badge) = ([text], text, text)
            row.actions = [Action(id: text, title: text)]
            var screen = Screen(title: text, rows: [row])
            (screen.text, screen.message, screen.emptyText) = (String(text.prefix(100)), text, text)
            screen.sections[0].title = text
            screen.form = Form(fields: [.text(text, text)])
            screen.actions = [Action(id: text, title: text)]
            var model = Model(screen)
            model.type(.down, .down, .right)
            for line in model.draw().lines {
                #expect(line.width <= 40)
                #expect(line.text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x9B && $0 != "\u{202E}" })
            }
        }
    }

    @Test("The keys are listed with those of the screen's actions")
    func help() {
        var screen = Screen.rows(1)
        screen.actions = [Action(id: "n", title: "New")]
        screen.actions[0].key = "n"
        var model = Model(screen, rows: 24, columns: 60)
        model.type(.text("?"))
        #expect(model.shown.contains("┌─ Keys ") && model.shown.contains("│ n              New"))
        #expect(model.type(.text("x")) == [])
        #expect(model.type(.text("n")) == [.send(.press(action: "n"))])
        #expect(model.type(.text("q")) == [.quit])
    }
}

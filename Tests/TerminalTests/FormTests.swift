import Testing
import ViperKit

@testable import Terminal

struct FormTests {
    private static let save = {
        var action = Action(id: "save", title: "Save")
        action.role = .default
        return action
    }()

    @Test("Tab sends the text of a field and moves on, and Enter in the last field presses the default action")
    func walk() {
        var model = Model(Screen(fields: [.text("name"), .text("city")], actions: [Self.save]))
        #expect(model.type(text: "Ada") == [])
        #expect(model.shown.contains("Name  [Ada"))
        #expect(model.type(.tab) == [.send(.fill(field: "name", text: "Ada"))])
        model.type(text: "Rome")
        #expect(
            model.type(.enter) == [.send(.fill(field: "city", text: "Rome")), .send(.press(action: "save"))])
    }

    @Test("Letters are typed into a field, also those of keys")
    func letters() {
        var model = Model(Screen(fields: [.text("name")], actions: [Self.save]))
        #expect(model.type(text: "q?/s") == [])
        #expect(model.shown.contains("[q?/s"))
        #expect(model.popup == nil)
    }

    @Test("A live change leaves what is being typed, and the cursor")
    func liveTyping() {
        var model = Model(Screen(fields: [.text("name"), .text("city")]))
        model.type(text: "Ada")
        model.type(.left)
        let cursor = model.draw().cursor
        model.show(Screen(fields: [.text("name", "Bob"), .text("city", "Rome")]))
        #expect(model.shown.contains("[Ada") && model.shown.contains("[Rome"))
        #expect(model.draw().cursor == cursor)
        #expect(model.type(.tab) == [.send(.fill(field: "name", text: "Ada"))])
        model.show(Screen(fields: [.text("name", "ADA"), .text("city", "Rome")]))
        model.finish(.send(.fill(field: "name", text: "Ada")))
        #expect(model.shown.contains("[ADA"))
    }

    @Test("Escape takes back what was typed, and then leaves the scene")
    func escape() {
        var model = Model(Screen(fields: [.text("name", "Ada")]), routes: ["list", "test"])
        model.type(text: "x")
        #expect(model.type(.escape) == [])
        #expect(model.shown.contains("[Ada "))
        #expect(model.type(.escape) == [.back])
    }

    @Test(
        "A rejected field gets the focus, whether its error or the end of the press comes first",
        arguments: [true, false])
    func errors(isErrorFirst: Bool) {
        let screen = Screen(fields: [.text("name"), .text("city")], actions: [Self.save])
        var wrong = screen
        wrong.form?.fields[1].error = "must not be empty"
        var model = Model(screen)
        model.type(.tab, .tab)
        for effect in model.type(.enter) { model.begin(effect) }
        if isErrorFirst { model.show(wrong) }
        model.end(.send(.press(action: "save")), nil)
        if !isErrorFirst { model.show(wrong) }
        #expect(model.scene.focus == .field("city"))
        #expect(model.shown.contains("! must not be empty"))
    }

    @Test("A search sends each text, but one at a time")
    func search() {
        var model = Model(Screen(fields: [Field(id: "q", label: "Search", value: "", kind: .search)]))
        for effect in model.type(.text("a")) { model.begin(effect) }
        #expect(model.type(.text("b")) == [])
        model.show(Screen(fields: [Field(id: "q", label: "Search", value: "a", kind: .search)]))
        #expect(model.end(.send(.fill(field: "q", text: "a")), nil) == [.send(.fill(field: "q", text: "ab"))])
    }

    @Test("A password is shown as dots, and its text nowhere")
    func password() {
        var model = Model(Screen(fields: [Field(id: "p", label: "Password", value: "", kind: .password), .text("x")]))
        model.type(text: "secret")
        #expect(model.shown.contains("[••••••  "))
        #expect(model.type(.control("o")) == [])
        #expect(model.type(.tab) == [.send(.fill(field: "p", text: "secret"))])
        #expect(model.shown.contains("[••••••••  ") && !model.shown.contains("secret"))
    }

    @Test("A toggle switches with the space key, and a choice opens its options")
    func choices() {
        var toggle = Field(id: "t", label: "Done", value: "false", kind: .toggle)
        var choice = Field(id: "c", label: "Colour", value: "r", kind: .choice)
        choice.options = [.init(id: "r", title: "Red"), .init(id: "g", title: "Green")]
        choice.isRequired = true
        var several = choice
        (several.id, several.kind, several.value) = ("s", .choices, "r")
        var model = Model(Screen(fields: [toggle, choice, several]), rows: 16)
        #expect(model.type(.text(" ")) == [.send(.fill(field: "t", text: "true"))])
        toggle.value = "true"
        model.show(Screen(fields: [toggle, choice, several]))
        model.finish(.send(.fill(field: "t", text: "true")))
        #expect(model.shown.contains("[x]"))
        model.type(.tab, .enter)
        #expect(model.shown.contains("│ › Red"))
        #expect(model.type(.down, .enter) == [.send(.fill(field: "c", text: "g"))])
        model.type(.tab, .enter, .down, .text(" "))
        #expect(model.shown.contains("[x] Green"))
        #expect(model.type(.enter) == [.send(.fill(field: "s", text: "r,g"))])
    }

    @Test("Several lines are edited in place or in the editor")
    func multiline() {
        let note = Field(id: "n", label: "Text", value: "", kind: .multiline)
        var model = Model(Screen(fields: [note, .text("x")]))
        model.type(text: "one")
        model.type(.enter)
        model.type(text: "two")
        #expect(model.shown.contains("[one ") && model.shown.contains("[two "))
        model.type(.up)
        model.type(text: "!")
        #expect(model.type(.control("o")) == [.edit(field: "n", text: "one!\ntwo")])
        #expect(model.take("three", for: "n") == [.send(.fill(field: "n", text: "three"))])
        #expect(model.shown.contains("[three "))
    }

    @Test("A text from the editor has no line breaks in a field of one line")
    func edited() {
        var model = Model(Screen(fields: [.text("name"), .text("x")]))
        #expect(model.take("a\nb\r\nc", for: "name") == [.send(.fill(field: "name", text: "a b c"))])
    }

    @Test("A screen that becomes empty while something has the focus is shown")
    func emptied() {
        var form = Model(Screen(fields: [.text("name")]))
        form.type(text: "Ada")
        form.show(Screen(title: "Saved"))
        #expect(form.shown.contains("Saved"))
        var list = Model(.rows(3))
        list.type(.down)
        list.show(Screen(title: "Removed"))
        #expect(list.shown.contains("Removed"))
    }

    @Test("Another scene of the same route has neither the typed text nor the focus of the earlier one")
    func nextScene() {
        var model = Model(Screen(fields: [.text("name", "Ada"), .text("city")], actions: [Self.save]))
        model.type(.tab)
        model.type(text: "Rome")
        let effects = model.type(.tab, .enter)
        #expect(effects.last == .send(.press(action: "save")))
        for effect in effects { model.begin(effect) }
        #expect(model.isBusy)
        model.showNext(Screen(fields: [.text("name", "Bob"), .text("city")], actions: [Self.save]))
        #expect(!model.isBusy && model.scene.edits.isEmpty)
        #expect(model.scene.focus == .field("name") && !model.shown.contains("Rome"))
    }

    @Test("A pasted text presses nothing")
    func paste() {
        var model = Model(Screen(fields: [.text("name")], actions: [Self.save]))
        #expect(model.type(.paste("a\nq\n")) == [])
        #expect(model.shown.contains("[a q "))
        var list = Model(.rows(3))
        #expect(list.type(.paste("q\n")) == [])
    }
}

struct AlertTests {
    private var screen: Screen {
        var screen = Screen.rows(3)
        var (remove, keep) = (Action(id: "remove", title: "Remove"), Action(id: "keep", title: "Keep"))
        (remove.role, keep.role) = (.destructive, .cancel)
        screen.alert = Alert(title: "Remove Ada?", message: "It cannot be undone.", actions: [remove, keep])
        return screen
    }

    @Test("An alert is a box whose safe action has the focus, and Escape cancels")
    func box() {
        var model = Model(screen)
        #expect(model.shown.contains("┌─ Remove Ada? "))
        #expect(model.shown.contains("│ It cannot be undone. "))
        #expect(model.scene.focus == .action("keep"))
        #expect(model.type(.escape) == [.send(.press(action: "keep"))])
        model.finish(.send(.press(action: "keep")))
        #expect(model.type(.left, .enter) == [.send(.press(action: "remove"))])
    }

    @Test("After an alert the focus returns to its row")
    func focus() {
        var model = Model(.rows(3))
        model.type(.down)
        model.show(screen)
        #expect(model.scene.focus == .action("keep"))
        model.show(.rows(3))
        #expect(model.focusedLine == "› Row 1")
    }

    @Test("A scene that only asks something is a box above the scene below")
    func presented() {
        var model = Model(.rows(3), rows: 16)
        var question = Screen(title: "Sure?")
        question.text = "Really?"
        question.actions = [Action(id: "yes", title: "Yes"), Action(id: "no", title: "No")]
        var state = WindowState.test(question, routes: ["test", "ask"])
        state.scenes[1].transition = .present
        model.update(state)
        #expect(model.shown.contains("┌─ Sure? ") && model.shown.contains("  Row 0"))
        #expect(model.type(.right, .enter) == [.send(.press(action: "no"))])
        model.update(.test(.rows(3)))
        #expect(model.focusedLine == "› Row 0")
    }

    @Test("Rows below an alert cannot be clicked")
    func click() {
        var model = Model(screen)
        #expect(model.type(.click(row: 1, column: 1)) == [])
        let frame = model.draw()
        let hit = frame.hits.first { $0.target == .action("remove") }
        #expect(
            model.type(.click(row: hit?.row ?? 0, column: hit?.columns.lowerBound ?? 0)) == [
                .send(.press(action: "remove"))
            ])
    }
}

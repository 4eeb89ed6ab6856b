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

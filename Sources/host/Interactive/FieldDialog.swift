import ViperKit
import ViperRuntime

/// Asks for a form's fields one by one.
@MainActor
struct FieldDialog {
    private let window: Window
    private let scene: Scene?
    private var names: ArraySlice<String>

    init(_ names: [String], in window: Window) {
        (self.window, self.names) = (window, names[...])
        scene = window.top
    }

    /// The field to be asked for now. Nil when all have been, or the screen has gone.
    var field: Field? {
        guard window.top === scene else { return nil }
        return names.first.flatMap { name in window.screen.form?.fields.first { $0.name == name } }
    }

    /// What a person is asked with: the label, and what is in the field already.
    var prompt: String? { field.map { "\(printable($0.label)) [\($0.visibleValue)]: " } }

    /// Goes on to the next field.
    mutating func skip() { names = names.dropFirst() }
}

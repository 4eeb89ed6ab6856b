import HostSystem
import ModuleRuntime
import ViperKit

@MainActor
struct FieldDialog {
    private let window: Window
    private let scene: Scene?
    private var names: ArraySlice<String>

    init(_ names: [String], in window: Window) {
        (self.window, self.names) = (window, names[...])
        scene = window.top
    }

    /// The current field. Nil after the last field, or if the dialog's scene is no longer the top scene.
    var field: Field? {
        guard window.top === scene else { return nil }
        return names.first.flatMap { name in window.screen.form?.fields.first { $0.name == name } }
    }

    var prompt: String? {
        field.map { field in
            "\(printable(field.label)) \(field.fallback.map { "\($0) " } ?? "")[\(field.visibleValue)]: "
        }
    }

    mutating func skip() { names = names.dropFirst() }
}

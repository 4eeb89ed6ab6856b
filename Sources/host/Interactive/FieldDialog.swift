import HostSystem
import ModuleRuntime
import ViperKit

@MainActor
struct FieldDialog {
    private let window: Window
    private let scene: Scene?
    private var ids: ArraySlice<String>

    init(_ ids: [String], in window: Window) {
        (self.window, self.ids) = (window, ids[...])
        scene = window.top
    }

    /// The current field. Nil after the last field, or if the dialog's scene is no longer the top scene.
    var field: Field? {
        guard window.top === scene else { return nil }
        return ids.first.flatMap { id in window.screen.form?.fields.first { $0.id == id } }
    }

    var prompt: String? {
        field.map { field in
            "\(printable(field.label)) \(field.fallback.map { "\($0) " } ?? "")[\(field.visibleValue)]: "
        }
    }

    mutating func skip() { ids = ids.dropFirst() }
}

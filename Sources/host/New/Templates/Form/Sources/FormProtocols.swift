import ViperKit

// The interfaces between the roles. They allow a test to replace the other roles with fakes.

/// The presenter's interface to the view.
@MainActor
protocol FormViewing: AnyObject {
    func show(_ form: Form)
    /// Shows an alert in front of the form. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
    /// Shows text in place of the form.
    func showAdded(_ text: String)
}

/// The view's interface to the presenter.
protocol FormPresenting: Presenter where SceneAction == FormAction, SceneField == FormField {}

/// The presenter's interface to the interactor.
protocol FormInteracting: Sendable {
    func add(name: String, amount: Int) async throws(ViperError) -> Entry
}

/// The presenter's interface to the wireframe.
@MainActor
protocol FormNavigating: AnyObject {
    /// Closes the form. If an entry was added, passes the entry to the scene below.
    func close(returning entry: Entry?) async throws(ViperError)
}

/// The scene's actions. The view or an alert offers them, and the presenter performs them.
enum FormAction: String, ActionID {
    case add, cancel, dismiss

    var title: String {
        switch self {
        case .add: "Add"
        case .cancel: "Cancel"
        case .dismiss: "Back to the form"
        }
    }
}

/// The form's fields. The view model stores their text.
enum FormField: String, FieldID {
    case name, amount

    var kind: Field.Kind {
        switch self {
        case .name: .text
        case .amount: .number
        }
    }
}

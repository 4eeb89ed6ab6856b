import ViperKit

// The interfaces between the roles of the form. The presenter uses `AddPersonViewing`, `AddPersonInteracting` and
// `AddPersonNavigating`. The view uses `AddPersonPresenting`.

@MainActor
protocol AddPersonViewing: AnyObject {
    func show(_ form: Form)
    func show(_ alert: Alert?)
    func showAdded(_ text: String)
}

protocol AddPersonPresenting: Presenter where SceneAction == AddPersonAction, SceneField == AddPersonField {}

protocol AddPersonInteracting: Sendable {
    func add(name: String, age: Int) async throws(ViperError) -> Person
}

@MainActor
protocol AddPersonNavigating: AnyObject {
    /// Closes the form. If a person was added, passes the person to the scene below.
    func close(returning person: Person?) async throws(ViperError)
}

enum AddPersonAction: String, ActionID {
    case add, cancel, dismiss

    var title: String {
        switch self {
        case .add: "Add"
        case .cancel: "Cancel"
        case .dismiss: "Back to the form"
        }
    }

    var role: Action.Role? { self == .add ? .default : .cancel }
}

enum AddPersonField: String, FieldID {
    case name, age

    var kind: Field.Kind {
        switch self {
        case .name: .text
        case .age: .number
        }
    }
    var isRequired: Bool { true }
}

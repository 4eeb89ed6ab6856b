import Observation
import ViperKit

/// What the list shows. The presenter changes it, and whoever shows the view's screen sees that.
@MainActor
@Observable
final class TodoListViewModel {
    enum State: Equatable {
        case loading
        case loaded([Row])
        case failed(title: String, cause: String)
    }

    var state = State.loading
}

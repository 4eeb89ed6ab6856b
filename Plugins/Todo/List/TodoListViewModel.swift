import Observation
import ViperKit

/// What the list shows. The presenter changes it, and whoever shows the view's screen sees that.
@MainActor
@Observable
final class TodoListViewModel {
    enum State: Equatable {
        case loading
        /// The list, and what stands in front of it.
        case loaded([Row], alert: Alert? = nil)
        /// There is no list, for the reason that the alert says.
        case failed(Alert)
    }

    var state = State.loading
}

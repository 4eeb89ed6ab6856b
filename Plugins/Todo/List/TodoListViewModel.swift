import Observation
import ViperKit

/// The state of the list. A change to the state notifies the observers of the view's screen.
@MainActor
@Observable
final class TodoListViewModel {
    enum State: Equatable {
        case loading
        /// The list is loaded. An alert may be shown above it.
        case loaded([Row], alert: Alert? = nil)
        /// The list could not be loaded. The alert states the reason.
        case failed(Alert)
    }

    var state = State.loading
}

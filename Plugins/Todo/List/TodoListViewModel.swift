import Observation
import ViperKit

/// The state of the list. A change to the state notifies the observers of the view's screen.
@MainActor
@Observable
final class TodoListViewModel {
    enum State: Equatable {
        case loading
        /// The list is loaded. An alert may be shown above it. The note tells that the list is not the server's.
        case loaded([Row], note: String? = nil, alert: Alert? = nil)
        /// The list could not be loaded. The alert states the reason.
        case failed(Alert)
    }

    var state = State.loading
    /// The number of pages that are shown. A change of the page's size changes the number of their rows.
    var pages = 1
    /// A short confirmation of the last event.
    var message: String?
}

import HostSystem
import Observation
import Synchronization
package import ViperKit

/// A window that a client opens, uses and observes by a number.
///
/// The window ends when its last scene closes. It then leaves the client's ``ClientWindows``.
@MainActor
package final class ClientWindow {
    package enum Request: Sendable {
        /// Opens a route in place of all scenes.
        case open(String, UnvalidatedParameters)
        /// Starts the scene of a window whose client navigates.
        case load
        case event(Event)
    }

    /// The state of a window as its client sees it.
    package struct State: Sendable {
        /// The top scene's screen, or the last screen if no scene is open.
        package var screen: Screen
        /// A number that increases with each state. If states arrive out of order, the highest revision is the newest.
        package var revision: Int
        /// True if no scene is open.
        package var isClosed: Bool
    }

    /// A change that no request of the client has returned.
    package enum Update: Sendable {
        case screen(State)
        /// The window has ended, because of an error if there is one. This is the last update.
        case closed(State, ViperError?)
    }

    nonisolated package let number: Int
    /// The open scenes, from bottom to top.
    package var scenes: [Scene] { window.scenes }
    /// The delegate that navigates in place of the window. If it is set before the first request, the window has a
    /// single scene, which `open` does not start.
    package var delegate: (any NavigationDelegate)?
    /// The window's identity. See ``Navigator/identity``.
    package nonisolated let identity: String
    /// The name of the module that opened the window. Empty if no module did.
    nonisolated let opener: String

    private let source: any SceneSource & Sendable
    private let onEnd: @Sendable () -> Void
    private lazy var window = Window(source: source, outside: delegate, identity: identity)
    nonisolated private let turns = Turns()
    private var observers: [AsyncStream<Update>.Continuation] = []
    private var revision = 0
    private var running = 0
    private var isOver = false
    nonisolated private let tracking = Mutex(Tracking())

    private struct Tracking {
        /// True if ``observe()`` has been called, and the window has not changed since.
        var isOn = false
        /// True if the window has changed, and no state has been returned since.
        var hasChanged = false
    }

    nonisolated init(
        _ number: Int, of identity: String, by opener: String, from source: any SceneSource & Sendable,
        onEnd: @escaping @Sendable () -> Void
    ) {
        (self.number, self.identity, self.opener) = (number, identity, opener)
        (self.source, self.onEnd) = (source, onEnd)
    }

    /// Queues a request after all earlier requests to this window.
    ///
    /// - Returns: A closure that waits for the earlier requests, executes this one, and returns the state when the
    ///   screen has settled. The caller must call the closure.
    nonisolated package func queue(
        _ request: Request
    ) -> @MainActor @Sendable () async throws(ViperError) -> State {
        // A result from the scene above skips the queue. The current event may be waiting for that scene to settle.
        if case .event(.returned) = request {
            return { () async throws(ViperError) in try await self.perform(request) }
        }
        let turn = turns.next()
        return { () async throws(ViperError) in
            defer { turn.end() }
            await turn.wait()
            return try await self.perform(request)
        }
    }

    /// Returns the changes from now on that no request returns. Several consecutive changes may be combined into one.
    /// The sequence ends with the window.
    package func updates() -> AsyncStream<Update> {
        let (updates, observer) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(1))
        if isOver { observer.finish() } else { observers.append(observer) }
        observe()
        return updates
    }

    /// Closes the window. The client receives no update.
    package func close() {
        isOver = true
        window.closeAll()
        for observer in observers { observer.finish() }
        observers = []
        onEnd()
    }

    /// The current state as a front end sees it. It can be observed.
    var current: WindowState {
        WindowState(screen: window.screen, scenes: window.openScenes, error: window.lastLoss)
    }

    /// Closes the topmost scene. The window ends with its last scene.
    func goBack() {
        window.goBack()
        if window.top == nil { end(because: nil) }
    }

    /// Returns the current state.
    package func state() -> State {
        revision += 1
        tracking.withLock { $0.hasChanged = false }
        observe()
        return State(screen: window.screen, revision: revision, isClosed: window.top == nil)
    }
}

extension ClientWindow {
    /// Performs a request, which gets an ID if a module sends it.
    private func perform(_ request: Request) async throws(ViperError) -> State {
        let id = RequestID.current ?? (opener.isEmpty ? nil : RequestID.make())
        return try await RequestID.with(id) { () async throws(ViperError) in try await performNamed(request) }
    }

    private func performNamed(_ request: Request) async throws(ViperError) -> State {
        if isOver { throw .sceneUnknown(number) }
        // The client has already received an error, so the request must not be executed.
        if Task.isCancelled, window.top != nil {
            throw ViperError(
                .timeLimit, operation: "cannot use scene", subject: "\(number)",
                cause: "earlier requests did not finish in time")
        }
        running += 1
        defer { running -= 1 }
        do {
            switch request {
            case .open(let route, let parameters): try await open(route, parameters)
            case .load: try await window.top?.load()
            case .event(let event): try await window.handle(event)
            }
        } catch {
            if window.top == nil { if case .open = request { close() } else { end(because: error) } }
            throw error
        }
        let state = state()
        // If the task is cancelled, the client has received an error instead of this state.
        if state.isClosed, Task.isCancelled { end(because: nil) } else if state.isClosed { close() }
        return state
    }

    /// Opens a route. If the task is cancelled, closes the window, because the client then never learns its number.
    private func open(_ route: String, _ parameters: UnvalidatedParameters) async throws(ViperError) {
        let result: Result<Void, ViperError> = await withTaskCancellationHandler {
            do throws(ViperError) {
                if delegate == nil {
                    try await window.open(route, parameters)
                } else {
                    _ = try await window.assemble(route, parameters)
                }
                return .success(())
            } catch { return .failure(error) }
        } onCancel: {
            Task { @MainActor in close() }
        }
        if isOver { window.closeAll() }
        try result.get()
    }

    /// Calls ``change()`` after the next change of the window, unless it is already observed.
    private func observe() {
        let isOn = tracking.withLock { tracking in
            defer { tracking.isOn = true }
            return tracking.isOn
        }
        if isOn || isOver { return }
        withObservationTracking {
            _ = (window.screen, window.top?.terminationError)
        } onChange: { [weak self] in
            // A view may depend on objects that change on other threads.
            self?.tracking.withLock { $0 = Tracking(isOn: false, hasChanged: true) }
            Task { @MainActor [weak self] in self?.change() }
        }
    }

    /// Passes a change to the observers, unless a request has returned it.
    private func change() {
        if isOver { return }
        observe()
        let terminationError = window.top?.terminationError
        if let top = window.top, terminationError != nil { window.remove(top) }
        // While a request is running, its response reports the end of the window.
        if window.top == nil {
            if running == 0 { end(because: terminationError ?? window.lastLoss) }
        } else if tracking.withLock(\.hasChanged) {
            tell(.screen(state()))
        }
    }

    private func end(because error: ViperError?) {
        if isOver { return }
        tell(.closed(state(), error))
        close()
    }

    private func tell(_ update: Update) {
        for observer in observers { observer.yield(update) }
    }
}

import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Observation
import ViperKit

/// A scene that a client has opened. Each scene has its own window.
@MainActor
final class ServedScene {
    nonisolated let id: Int
    nonisolated let turns = Turns()
    private let peer: Peer
    private let router: Router
    private let onEnd: @Sendable () -> Void
    private let isWatched: @Sendable () -> Bool
    private var window: Window?
    private var told: Screen?
    private var revision = 0
    private var running = 0
    private var isOver = false

    nonisolated init(
        _ id: Int, from router: Router, for peer: Peer, isWatched: @escaping @Sendable () -> Bool,
        onEnd: @escaping @Sendable () -> Void
    ) {
        (self.id, self.router, self.peer) = (id, router, peer)
        (self.isWatched, self.onEnd) = (isWatched, onEnd)
    }

    /// Opens a route. If the client navigates, returns before the scene is started. Otherwise, returns when the screen
    /// has settled.
    func open(
        _ route: String, _ parameters: UnvalidatedParameters, navigates: Bool
    ) async throws(ViperError) -> SceneState {
        let window = Window(source: router, outside: navigates ? self : nil)
        self.window = window
        do {
            try await withClosing { () async throws(ViperError) in
                if navigates {
                    _ = try await window.assemble(route, parameters)
                } else {
                    try await window.open(route, parameters)
                }
            }
        } catch {
            close()
            throw error
        }
        watch(window)
        return state()
    }

    func load() async throws(ViperError) -> SceneState {
        try await perform { window async throws(ViperError) in try await window.top?.load() }
    }

    func handle(_ event: Event) async throws(ViperError) -> SceneState {
        try await perform { window async throws(ViperError) in try await window.handle(event) }
    }

    /// Closes the scene without notifying the client.
    func close() {
        isOver = true
        window?.closeAll()
        onEnd()
    }

    private func perform(
        _ work: (Window) async throws(ViperError) -> Void
    ) async throws(ViperError) -> SceneState {
        guard let window, !isOver else { throw .sceneUnknown(id) }
        running += 1
        defer { running -= 1 }
        do { try await work(window) } catch {
            endIfEmpty(window, because: error)
            throw error
        }
        let state = state()
        // If the task is cancelled, the client has received an error instead of this state.
        if state.closed, Task.isCancelled { endIfEmpty(window, because: nil) } else if state.closed { close() }
        return state
    }

    /// Runs a closure. If the task is cancelled, closes the scene, because the client then never learns the scene's
    /// number.
    private func withClosing(_ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        let result: Result<Void, ViperError> = await withTaskCancellationHandler {
            do throws(ViperError) { return .success(try await work()) } catch { return .failure(error) }
        } onCancel: {
            Task { @MainActor in close() }
        }
        if isOver { window?.closeAll() }
        try result.get()
    }

    private func state() -> SceneState {
        let screen = window?.screen ?? Screen(title: "")
        if told != screen {
            told = screen
            revision += 1
        }
        return SceneState(scene: id, screen: screen, revision: revision, closed: window?.top == nil)
    }
}

extension ServedScene {
    private func watch(_ window: Window) {
        let changes = Observations.untilFinished { [weak window] in
            window.map { .next(($0.screen, $0.top.map { $0.terminationError != nil } ?? true)) } ?? .finish
        }
        Task { [weak self, weak window] in
            for await _ in changes {
                guard let self, let window, !self.isOver else { return }
                self.tellChange(of: window)
            }
        }
    }

    private func tellChange(of window: Window) {
        let terminationError = window.top?.terminationError
        if let top = window.top, terminationError != nil { window.remove(top) }
        // While a request is running, its response reports the end of the scene.
        if window.top == nil {
            if running == 0 { endIfEmpty(window, because: terminationError) }
            return
        }
        let before = revision
        let state = state()
        guard state.revision > before, isWatched() else { return }
        // This fails if the screen exceeds the `pending` limit. The client must then request the screen.
        try? peer.notify("screen", state)
    }

    private func endIfEmpty(_ window: Window, because error: ViperError?) {
        guard window.top == nil, !isOver else { return }
        close()
        var notification = ClosedNotification(scene: id, last: state(), error: error)
        do { try peer.notify("closed", notification) } catch {
            // Only the screen can exceed the limit. The client must still learn that the scene has ended.
            notification.last = nil
            try? peer.notify("closed", notification)
        }
    }
}

extension ServedScene: NavigationDelegate {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {
        let call = NavigateCall(
            scene: id, route: route, parameters: parameters.mapValues(JSONValue.init), transition: transition.rawValue)
        _ = try await peer.call("navigate", call, as: EmptyPayload.self)
    }

    func close(returning result: SceneResult?) async throws(ViperError) {
        let json = try result.map { result throws(ViperError) in try JSONValue(result) }
        var call = FinishCall(scene: id, last: state(), result: json)
        do throws(ViperError) { _ = try await peer.call("finish", call, as: EmptyPayload.self) } catch {
            guard error.code == .limitReached else { throw error }
            call.last = nil
            _ = try await peer.call("finish", call, as: EmptyPayload.self)
        }
    }
}

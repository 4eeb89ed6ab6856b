import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Observation
import ViperKit

/// A scene that a client has opened: a window of its own in this host.
@MainActor
final class ServedScene {
    nonisolated let id: Int
    /// In which order its events are handled.
    nonisolated let turns = Turns()
    private let peer: Peer
    private let router: Router
    /// Hears, once, that the scene is no more.
    private let onEnd: @Sendable () -> Void
    /// Whether the client wants to hear of each new screen.
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

    /// Opens a route; returns when its screen is settled or, where the client navigates, before its work has begun.
    func open(
        _ route: String, _ parameters: GivenParameters, navigates: Bool
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

    /// Begins the scene's work.
    func load() async throws(ViperError) -> SceneState {
        try await perform { window async throws(ViperError) in try await window.top?.load() }
    }

    /// Hands it an event.
    func handle(_ event: Event) async throws(ViperError) -> SceneState {
        try await perform { window async throws(ViperError) in try await window.handle(event) }
    }

    /// Closes what is open. None hears of it.
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
        // Whoever made the call may have been told that it took too long, and hears nothing more of it.
        if state.closed, Task.isCancelled { endIfEmpty(window, because: nil) } else if state.closed { close() }
        return state
    }

    /// Closes the scene when the task is cancelled: who opens it does not wait for it any more, and cannot close it.
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

// What happens without the client.
extension ServedScene {
    private func watch(_ window: Window) {
        let changes = Observations.untilFinished { [weak window] in
            window.map { .next(($0.screen, $0.top.map { $0.loss != nil } ?? true)) } ?? .finish
        }
        Task { [weak self, weak window] in
            for await _ in changes {
                guard let self, let window, !self.isOver else { return }
                self.tellChange(of: window)
            }
        }
    }

    private func tellChange(of window: Window) {
        let loss = window.top?.loss
        if let top = window.top, loss != nil { window.remove(top) }
        // While something is being done, its answer says that the scene has ended.
        if window.top == nil {
            if running == 0 { endIfEmpty(window, because: loss) }
            return
        }
        let before = revision
        let state = state()
        guard state.revision > before, isWatched() else { return }
        // A screen that is too long to be sent is one that the client has to ask for.
        try? peer.notify("screen", state)
    }

    /// Tells the client that the scene has ended.
    private func endIfEmpty(_ window: Window, because error: ViperError?) {
        guard window.top == nil, !isOver else { return }
        close()
        var notification = ClosedNotification(scene: id, last: state(), error: error)
        do { try peer.notify("closed", notification) } catch {
            // Only the screen can be too long to be sent. The client still has to learn that the scene has ended.
            notification.last = nil
            try? peer.notify("closed", notification)
        }
    }
}

extension ServedScene: OutsideNavigation {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {
        let call = NavigateCall(
            scene: id, route: route, parameters: parameters.mapValues(JSONValue.init), transition: transition.rawValue)
        _ = try await peer.call("navigate", call, as: Nothing.self)
    }

    func close(returning result: SceneResult?) async throws(ViperError) {
        let json = try result.map { result throws(ViperError) in try JSONValue(result) }
        var call = FinishCall(scene: id, last: state(), result: json)
        do throws(ViperError) { _ = try await peer.call("finish", call, as: Nothing.self) } catch {
            // A scene whose screen is too long to be sent closes all the same.
            guard error.code == .limitReached else { throw error }
            call.last = nil
            _ = try await peer.call("finish", call, as: Nothing.self)
        }
    }
}

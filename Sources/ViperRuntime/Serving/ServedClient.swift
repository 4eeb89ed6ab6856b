import JSONRPC
import ModuleIsolation
import ModuleRuntime
import Synchronization
import ViperKit

/// A connected client. Its windows are closed when the connection ends.
final class ServedClient: Sendable {
    private struct Subscriptions {
        var screens = false
        var registry: Task<Void, Never>?
        var isOver = false
    }

    let host: ViperHost
    let peer: Peer
    let windows: ClientWindows
    let limits: Limits
    private let subscriptions = Mutex(Subscriptions())

    init(_ connection: LineConnection, of host: ViperHost, limits: Limits) {
        (self.host, self.limits) = (host, limits)
        peer = Peer(connection, limits: limits, namesRequests: !host.isWorker) { method in
            switch method {
            case "open", "load", "event": host.explainOverdueCall(after: limits.time)
            default: []
            }
        }
        windows = ClientWindows(source: host.router, limit: limits.scenes)
    }

    /// Starts answering the client's calls.
    ///
    /// - Parameters:
    ///   - onEnd: A closure that is called once, when the connection has ended.
    ///   - onClosed: A closure that is called once after `onEnd`, when every window is closed.
    func start(onEnd: @escaping @Sendable () -> Void, onClosed: @escaping @Sendable () -> Void) {
        host.parentRegistry?.connect(peer)
        peer.start { method, content throws(ViperError) in
            try self.answer(method, content)
        } end: { _ in
            onEnd()
            let watching = self.subscriptions.withLock { subscriptions in
                subscriptions.isOver = true
                return subscriptions.registry
            }
            watching?.cancel()
            Task {
                await self.windows.closeAll()
                onClosed()
            }
        }
    }

    /// Sends a notification for each change of a window that no response has returned.
    @MainActor
    func notify(of window: ClientWindow) {
        let (updates, number) = (window.updates(), window.number)
        Task { [self] in
            for await update in updates {
                switch update {
                case .screen(let state):
                    // This fails if the screen exceeds the `pending` limit. The client must then request the screen.
                    if watchesScreens { try? peer.notify("screen", SceneState(number, state)) }
                case .closed(let state, let error):
                    var closed = ClosedNotification(scene: number, last: SceneState(number, state), error: error)
                    do { try peer.notify("closed", closed) } catch {
                        // Only the screen can exceed the limit. The client must still learn that the scene has ended.
                        closed.last = nil
                        try? peer.notify("closed", closed)
                    }
                }
            }
        }
    }

    private var watchesScreens: Bool { subscriptions.withLock { $0.screens } }

    func subscribe(to topics: [SubscribeCall.Topic], _ isOn: Bool) {
        let new = isOn && topics.contains(.registry) ? watchRegistry() : nil
        let unused = subscriptions.withLock { subscriptions in
            if topics.contains(.screens) { subscriptions.screens = isOn }
            guard topics.contains(.registry), isOn == (subscriptions.registry == nil), !subscriptions.isOver else {
                return new
            }
            defer { subscriptions.registry = new }
            return subscriptions.registry
        }
        unused?.cancel()
    }

    private func watchRegistry() -> Task<Void, Never> {
        // Subscribes before the response is sent, so that no later change is missed.
        let changes = host.registry.changes()
        return Task { [peer] in
            for await change in changes {
                // This cannot fail, because a change is short and can always be encoded.
                try? peer.notify("registry", change)
            }
        }
    }
}

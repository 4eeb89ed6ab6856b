import JSONRPC
import ModuleIsolation
import ModuleRuntime
import Synchronization
import ViperKit

/// A client of this host, and what it has opened. All of it ends with the connection.
final class ServedClient: Sendable {
    private struct State {
        var scenes: [Int: ServedScene] = [:]
        /// Numbers are never given twice.
        var lastScene = 0
        var watchesScreens = false
        var registryWatch: Task<Void, Never>?
        var isOver = false
    }

    let host: ViperHost
    let peer: Peer
    private let limits: Limits
    private let state = Mutex(State())

    init(_ connection: LineConnection, of host: ViperHost, limits: Limits) {
        (self.host, self.limits) = (host, limits)
        peer = Peer(connection, limits: limits)
    }

    /// Begins to answer.
    ///
    /// - Parameters:
    ///   - onEnd: Is called once, when the connection has ended.
    ///   - onClosed: Is called once after that, when its scenes are closed.
    func start(onEnd: @escaping @Sendable () -> Void, onClosed: @escaping @Sendable () -> Void) {
        peer.start { method, content throws(ViperError) in
            try self.answer(method, content)
        } end: { _ in
            onEnd()
            Task {
                await self.closeAll()
                onClosed()
            }
        }
    }

    private func closeAll() async {
        let scenes = state.withLock { state in
            defer { state.scenes = [:] }
            state.isOver = true
            state.registryWatch?.cancel()
            return state.scenes.values
        }
        for scene in scenes { await scene.close() }
    }

    /// A new scene, with nothing in it yet.
    ///
    /// - Throws: ``ViperError/Code/limitReached``.
    func newScene() throws(ViperError) -> ServedScene {
        let scene = state.withLock { state -> ServedScene? in
            if state.isOver || state.scenes.count >= limits.scenes { return nil }
            state.lastScene += 1
            let id = state.lastScene
            let scene = ServedScene(
                id, from: host.router, for: peer,
                isWatched: { [weak self] in self?.state.withLock { $0.watchesScreens } ?? false },
                onEnd: { [weak self] in self?.state.withLock { _ = $0.scenes.removeValue(forKey: id) } })
            state.scenes[id] = scene
            return scene
        }
        if let scene { return scene }
        throw .limitReached("scenes", "\(limits.scenes) scenes of this connection are open")
    }

    func scene(_ id: Int) throws(ViperError) -> ServedScene {
        if let scene = state.withLock({ $0.scenes[id] }) { return scene }
        throw .sceneUnknown(id)
    }

    /// Takes a scene out of reach, for whoever closes it. Nil when it has ended already: closing twice is closing once.
    func takeScene(_ id: Int) throws(ViperError) -> ServedScene? {
        let (scene, wasThere) = state.withLock { state in
            (state.scenes.removeValue(forKey: id), 1 <= id && id <= state.lastScene)
        }
        if wasThere { return scene }
        throw .sceneUnknown(id)
    }

    func subscribe(to topics: [SubscribeCall.Topic], _ isOn: Bool) {
        state.withLock { state in
            if topics.contains(.screens) { state.watchesScreens = isOn }
            guard topics.contains(.registry), isOn == (state.registryWatch == nil), !state.isOver else { return }
            state.registryWatch?.cancel()
            state.registryWatch = isOn ? watchRegistry() : nil
        }
    }

    private func watchRegistry() -> Task<Void, Never> {
        // Begun before the answer, so that nothing that changes after it is missed.
        let changes = host.registry.changes()
        return Task { [peer] in
            for await change in changes {
                // A change is short, and all of it can be written.
                try? peer.notify("registry", change)
            }
        }
    }
}

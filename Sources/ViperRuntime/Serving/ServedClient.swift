import JSONRPC
import ModuleIsolation
import ModuleRuntime
import Synchronization
import ViperKit

/// A connected client and its scenes. The scenes are closed when the connection ends.
final class ServedClient: Sendable {
    private struct State {
        var scenes: [Int: ServedScene] = [:]
        /// The number of the last scene. Numbers are never reused.
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

    /// Starts answering the client's calls.
    ///
    /// - Parameters:
    ///   - onEnd: A closure that is called once, when the connection has ended.
    ///   - onClosed: A closure that is called once after `onEnd`, when every scene is closed.
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
        throw .limitReached("scenes", "this connection has \(limits.scenes) open scenes")
    }

    func scene(_ id: Int) throws(ViperError) -> ServedScene {
        if let scene = state.withLock({ $0.scenes[id] }) { return scene }
        throw .sceneUnknown(id)
    }

    /// Removes a scene so that the caller can close it.
    ///
    /// - Returns: The scene, or nil if the scene has already ended.
    /// - Throws: ``ViperError/Code/sceneUnknown`` if this connection never had a scene with this number.
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

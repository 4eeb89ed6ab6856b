package import JSONRPC
package import ModuleRuntime
package import ViperKit

/// The scenes in another host that this process shows.
///
/// Use this object as the source of a ``Window``. When a scene navigates, the window opens the new route.
@MainActor
package final class RemoteScenes: SceneSource {
    private struct Held {
        weak var scene: RemoteScene?
    }

    private let peer: Peer
    /// The time limit for each call to a scene. Nil for no limit.
    nonisolated let callLimit: Duration?
    private var scenes: [Int: Held] = [:]
    private var isSubscribed = false
    private var loss: ViperError?
    private let calls = CallCount()

    /// Creates a source for the scenes at the other end of a connection.
    ///
    /// - Parameters:
    ///   - peer: The connection. The caller must start it, pass incoming messages to ``answer(_:_:)``, and call
    ///     ``lose(_:)`` when the connection ends.
    ///   - callLimit: The time limit for each call to a scene. Nil if the other host limits the time.
    nonisolated package init(_ peer: Peer, callLimit: Duration? = nil) {
        (self.peer, self.callLimit) = (peer, callLimit)
    }

    package func open(
        _ route: String, _ parameters: UnvalidatedParameters, navigator: SceneNavigator
    ) async throws(ViperError) -> OpenedScene {
        let scene = try await scene(route, parameters, navigator: navigator)
        return OpenedScene(
            route: route, parameters: parameters.values, content: scene, calls: calls, onRelease: {})
    }

    /// Opens a route in the other host without starting the scene.
    ///
    /// - Throws: The error in the response, or ``ViperError/Code/connectionLost``.
    package func scene(
        _ route: String, _ parameters: UnvalidatedParameters, navigator: any Navigator
    ) async throws(ViperError) -> RemoteScene {
        if !isSubscribed { try peer.notify("subscribe", SubscribeCall(to: [.screens])) }
        isSubscribed = true
        let call = OpenCall(
            route: route, parameters: parameters.json, navigates: true,
            identity: navigator.identity.isEmpty ? nil : navigator.identity)
        let state = try await peer.call("open", call, as: SceneState.self, within: callLimit) { [peer] state in
            // The caller was cancelled, so no other code closes this scene.
            try? peer.notify("close", SceneCall(scene: state.scene))
        }
        let scene = RemoteScene(state, of: self, over: peer, navigator: navigator)
        scenes[state.scene] = Held(scene: scene)
        if let loss { scene.lose(loss) }
        return scene
    }

    nonisolated package func answer(_ method: String, _ content: MessageContent) throws(ViperError) -> Peer.Answer {
        switch method {
        case "screen":
            let state = try content.notification(SceneState.self)
            // A notification is not subject to the call limit. The scene ignores updates that are older than its
            // screen.
            Task { @MainActor in find(state.scene)?.show(state) }
            return .now(EmptyPayload())
        case "closed":
            let closed = try content.notification(ClosedNotification.self)
            let loss = closed.error ?? .connectionLost("the host closed the scene")
            Task { @MainActor in
                guard let scene = find(closed.scene) else { return }
                if let last = closed.last { scene.show(last) }
                scene.lose(loss)
            }
            return .now(EmptyPayload())
        case "navigate":
            let call = try content.parameters(NavigateCall.self)
            return .later { () async throws(ViperError) in try await self.navigate(call) }
        case "finish":
            let call = try content.parameters(FinishCall.self)
            return .later { () async throws(ViperError) in try await self.finish(call) }
        default: throw .methodUnknown(method, known: ["screen", "closed", "navigate", "finish"])
        }
    }

    /// Marks every scene as lost, because the connection has ended.
    package func lose(_ loss: ViperError) {
        self.loss = loss
        for held in scenes.values { held.scene?.lose(loss) }
        scenes = [:]
    }

    func forget(_ id: Int) { scenes[id] = nil }

    private func find(_ id: Int) -> RemoteScene? { scenes[id]?.scene }

    private func existing(_ id: Int) throws(ViperError) -> RemoteScene {
        if let scene = find(id) { return scene }
        throw .sceneUnknown(id)
    }

    private func navigate(_ call: NavigateCall) async throws(ViperError) -> EmptyPayload {
        let parameters = try [String: ParameterValue](call.parameters)
        let transition = Transition(rawValue: call.transition)
        try await existing(call.scene).navigator.open(call.route, parameters: parameters, as: transition)
        return EmptyPayload()
    }

    private func finish(_ call: FinishCall) async throws(ViperError) -> EmptyPayload {
        let scene = try existing(call.scene)
        // The response to the event that closes the scene arrives too late, after the scene has been removed.
        if let last = call.last { scene.show(last) }
        try await scene.navigator.close(returning: call.result)
        return EmptyPayload()
    }
}

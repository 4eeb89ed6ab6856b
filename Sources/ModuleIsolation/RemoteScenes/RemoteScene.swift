import JSONRPC
import ModuleRuntime
import Observation
package import ViperKit

/// A local proxy for a scene in another host. The other host handles the scene's events.
@MainActor
@Observable
package final class RemoteScene: SceneContent {
    package private(set) var screen: Screen
    /// The error that ended the scene. Nil if the scene was not lost.
    package private(set) var terminationError: ViperError?
    package var view: (any View)? { nil }

    @ObservationIgnored let navigator: any Navigator
    @ObservationIgnored private let id: Int
    @ObservationIgnored private var revision: Int
    @ObservationIgnored private let peer: Peer
    @ObservationIgnored private let callLimit: Duration?
    @ObservationIgnored private weak var scenes: RemoteScenes?

    init(_ state: SceneState, of scenes: RemoteScenes, over peer: Peer, navigator: any Navigator) {
        (id, screen, revision) = (state.scene, state.screen, state.revision)
        (self.peer, self.scenes, self.navigator, callLimit) = (peer, scenes, navigator, scenes.callLimit)
    }

    package func load() async throws(ViperError) {
        show(try await call("load", SceneCall(scene: id)))
    }

    package func handle(_ event: Event) async throws(ViperError) {
        show(try await call("event", EventCall(scene: id, event: try SceneEvent(event))))
    }

    package func close() {
        scenes?.forget(id)
        // A lost scene is already closed. If the notification cannot be sent, the other host closes the scene when the
        // connection ends.
        if terminationError == nil { try? peer.notify("close", SceneCall(scene: id)) }
    }

    func show(_ state: SceneState) {
        guard state.revision > revision else { return }
        (screen, revision) = (state.screen, state.revision)
    }

    func lose(_ terminationError: ViperError) { self.terminationError = self.terminationError ?? terminationError }

    private func call(_ method: String, _ parameters: some Encodable & Sendable) async throws(ViperError) -> SceneState
    {
        if let terminationError { throw terminationError }
        do {
            return try await peer.call(method, parameters, as: SceneState.self, within: callLimit)
        } catch {
            if error.code == .connectionLost || error.code == .sceneUnknown { lose(error) }
            // The stored error is more specific. It may name the signal that ended the process.
            throw terminationError ?? error
        }
    }
}

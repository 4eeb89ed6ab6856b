import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit

/// Navigation by a client, which shows each scene of this host in a window of its own.
@MainActor
final class ServedNavigation: NavigationDelegate {
    private weak var window: ClientWindow?
    private let peer: Peer

    init(in window: ClientWindow, over peer: Peer) { (self.window, self.peer) = (window, peer) }

    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {
        guard let window else { return }
        let call = NavigateCall(
            scene: window.number, route: route, parameters: parameters.mapValues(JSONValue.init),
            transition: transition.rawValue)
        _ = try await peer.call("navigate", call, as: EmptyPayload.self)
    }

    func close(returning result: SceneResult?) async throws(ViperError) {
        guard let window else { return }
        let json = try result.map { result throws(ViperError) in try JSONValue(result) }
        var call = FinishCall(scene: window.number, last: SceneState(window.number, window.state()), result: json)
        do throws(ViperError) { _ = try await peer.call("finish", call, as: EmptyPayload.self) } catch {
            guard error.code == .limitReached else { throw error }
            call.last = nil
            _ = try await peer.call("finish", call, as: EmptyPayload.self)
        }
    }
}

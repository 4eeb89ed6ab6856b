import HostSystem
import JSONRPC
import ModuleIsolation
import ModuleRuntime
import ViperKit

extension ServedClient {
    private enum Method: String, CaseIterable {
        case ping, routes, modules, services, statistics, check, open, load, event, close, subscribe, unsubscribe
    }

    /// Starts answering a call. Calls that do not need the main actor are answered even while a module blocks it.
    func answer(_ name: String, _ content: MessageContent) throws(ViperError) -> Peer.Answer {
        guard let method = Method(rawValue: name) else {
            throw .methodUnknown(name, known: Method.allCases.map(\.rawValue))
        }
        switch method {
        case .ping, .routes, .modules, .services, .statistics: try content.refuseParameters()
        case .check, .open, .load, .event, .close, .subscribe, .unsubscribe: break
        }
        switch method {
        case .ping: return .onMainActor { EmptyPayload() }
        case .routes: return listing(RouteListing.self)
        case .modules: return listing(ModuleListing.self)
        case .services: return listing(ServiceListing.self)
        case .statistics: return .later { [host] () async throws(ViperError) in await host.statistics() }
        case .check:
            let call = try content.parameters(CheckCall.self)
            return .later { [host] () async throws(ViperError) in
                try await host.check(call.module, call.phase)
                return EmptyPayload()
            }
        case .open: return try open(content.parameters(OpenCall.self))
        case .load:
            let scene = try scene(content.parameters(SceneCall.self).scene)
            return inTurn(scene) { () async throws(ViperError) in try await scene.load() }
        case .event: return try event(content.parameters(EventCall.self))
        case .close:
            let scene = try takeScene(content.parameters(SceneCall.self).scene)
            return .onMainActor {
                scene?.close()
                return EmptyPayload()
            }
        case .subscribe, .unsubscribe:
            subscribe(to: try content.parameters(SubscribeCall.self).to, method == .subscribe)
            return .now(EmptyPayload())
        }
    }

    /// Creates a listing in a task, because listing many modules takes time.
    private func listing(_ type: (some Listing).Type) -> Peer.Answer {
        .later { [host] () async throws(ViperError) in type.init(of: host) }
    }

    private func open(_ call: OpenCall) throws(ViperError) -> Peer.Answer {
        let route = host.registry.snapshot.routes[call.route]?.route
        let parameters = try UnvalidatedParameters(call.parameters ?? [:], for: route)
        let scene = try newScene()
        // Requests for the scene wait until the scene is open.
        let turn = scene.turns.next()
        return .onMainActor { () async throws(ViperError) in
            defer { turn.end() }
            return try await scene.open(call.route, parameters, navigates: call.navigates ?? false)
        }
    }

    private func event(_ call: EventCall) throws(ViperError) -> Peer.Answer {
        let (scene, event) = (try scene(call.scene), try call.event.event())
        // A result from the scene above skips the queue. The current event may be waiting for that scene to settle.
        if case .returned = event {
            return .onMainActor { () async throws(ViperError) in try await scene.handle(event) }
        }
        return inTurn(scene) { () async throws(ViperError) in try await scene.handle(event) }
    }

    /// Runs work after all earlier requests for the scene.
    private func inTurn(
        _ scene: ServedScene, _ work: @escaping @MainActor @Sendable () async throws(ViperError) -> SceneState
    ) -> Peer.Answer {
        let turn = scene.turns.next()
        return .onMainActor { () async throws(ViperError) in
            defer { turn.end() }
            await turn.wait()
            // The caller has already received an error, so the work must not run.
            if Task.isCancelled {
                throw ViperError(
                    .callCancelled, operation: "cannot use scene", subject: "\(scene.id)",
                    cause: "earlier calls did not finish in time")
            }
            return try await work()
        }
    }
}

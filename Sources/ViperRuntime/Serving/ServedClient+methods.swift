import HostSystem
import JSONRPC
import ModuleIsolation
import ModuleRuntime
import ViperKit

extension ServedClient {
    enum Method: String, CaseIterable {
        case ping, routes, modules, services, statistics, metrics, why, check, run, open, load, event, close, subscribe
        case unsubscribe
        case install, remove, rollback, enable, disable, reload
        case registry

        /// True if only a worker has the method.
        var isOfWorkers: Bool { self == .run || self == .registry }
        /// True if the method changes the installed modules, which a worker has none of.
        var isOfInstallations: Bool { [.install, .remove, .rollback, .enable, .disable, .reload].contains(self) }
    }

    /// Starts answering a call. Calls that do not need the main actor are answered even while a module blocks it.
    func answer(_ name: String, _ content: MessageContent) throws(ViperError) -> Peer.Answer {
        guard let method = Method(rawValue: name) else {
            throw .methodUnknown(name, known: Self.methods(ofWorker: host.isWorker))
        }
        switch method {
        case .ping, .routes, .modules, .services, .statistics, .metrics: try content.refuseParameters()
        case .why, .check, .run, .open, .load, .event, .close, .subscribe, .unsubscribe, .registry: break
        case .install, .remove, .rollback, .enable, .disable, .reload:
            if host.isWorker { throw .methodUnknown(name, known: Self.methods(ofWorker: true)) }
        }
        switch method {
        case .ping: return .onMainActor { EmptyPayload() }
        case .routes: return listing(RouteListing.self)
        case .modules: return listing(ModuleListing.self)
        case .services: return listing(ServiceListing.self)
        case .statistics: return .later { [host] () async throws(ViperError) in await host.statistics() }
        case .metrics: return .later { [host] () async throws(ViperError) in await host.metrics() }
        case .why:
            let name = try content.parameters(WhyCall.self).name
            return .later { [host] () async throws(ViperError) in try await host.explanations(of: name) }
        case .check:
            let call = try content.parameters(CheckCall.self)
            return .later { [host] () async throws(ViperError) in
                try await host.check(call.module, call.phase)
                return EmptyPayload()
            }
        case .run:
            // The host starts the module's work itself, so it refuses to run the module once more.
            guard host.isWorker else { throw .methodUnknown(name, known: Self.methods(ofWorker: false)) }
            let call = try content.parameters(RunCall.self)
            return .unlimited { [host] () async throws(ViperError) in
                RunResult(isFinished: try await host.run(call.module))
            }
        case .registry:
            // The host that started this worker tells it about a change.
            guard let registry = host.parentRegistry else {
                throw .methodUnknown(name, known: Self.methods(ofWorker: false))
            }
            registry.change()
            return .now(EmptyPayload())
        case .install: return try install(content.parameters(InstallCall.self))
        case .remove:
            let call = try content.parameters(ModuleCall.self)
            return try change(by: method) { installation throws(ViperError) in
                try await installation.remove(call.module) { _ in true }
            }
        case .rollback:
            let call = try content.parameters(RollbackCall.self)
            return try change(by: method) { installation throws(ViperError) in
                try await installation.rollBack(call.module, to: call.version) { _ in true }
            }
        case .enable: return try set(content.parameters(ModuleCall.self), isDisabled: false)
        case .disable: return try set(content.parameters(ModuleCall.self), isDisabled: true)
        case .reload:
            let call = try content.parameters(ModuleCall.self)
            return try queued(method) { [host] () async throws(ViperError) in
                try await host.reload(call.module)
                return EmptyPayload()
            }
        case .open: return try open(content.parameters(OpenCall.self))
        case .load: return try queue(.load, in: content.parameters(SceneCall.self).scene)
        case .event:
            let call = try content.parameters(EventCall.self)
            return try queue(.event(call.event.event()), in: call.scene)
        case .close:
            let window = try windows.remove(content.parameters(SceneCall.self).scene)
            return .onMainActor {
                window?.close()
                return EmptyPayload()
            }
        case .subscribe, .unsubscribe:
            subscribe(to: try content.parameters(SubscribeCall.self).to, method == .subscribe)
            return .now(EmptyPayload())
        }
    }

    private static func methods(ofWorker isWorker: Bool) -> [String] {
        Method.allCases.filter { isWorker ? !$0.isOfInstallations : !$0.isOfWorkers }.map(\.rawValue)
    }

    /// Creates a listing in a task, because listing many modules takes time.
    private func listing(_ type: (some Listing).Type) -> Peer.Answer {
        .later { [host] () async throws(ViperError) in type.init(of: host) }
    }

    private func open(_ call: OpenCall) throws(ViperError) -> Peer.Answer {
        let parameters = try UnvalidatedParameters(call.parameters ?? [:])
        guard let window = windows.add(for: call.identity ?? "") else {
            throw .limitReached("scenes", "this connection has \(limits.scenes) open scenes")
        }
        let open = window.queue(.open(call.route, parameters))
        return .onMainActor { [self] () async throws(ViperError) in
            if call.navigates ?? false { window.delegate = ServedNavigation(in: window, over: peer) }
            let state = try await open()
            notify(of: window)
            return SceneState(window.number, state)
        }
    }

    private func queue(_ request: ClientWindow.Request, in number: Int) throws(ViperError) -> Peer.Answer {
        let answer = try windows.window(number).queue(request)
        return .onMainActor { () async throws(ViperError) in SceneState(number, try await answer()) }
    }
}

import HostSystem
import ModuleCatalog
import Synchronization
@_spi(Host) import ViperKit

/// The guards of a router. They are asked before a watched route opens, and can close its scenes.
final class RouteGuards: Sendable {
    /// A scene that guards have allowed.
    private struct Allowed {
        weak var navigator: SceneNavigator?
        var route: String
    }

    private struct State {
        /// The allowed scenes of each guarding module, by identity.
        var allowed: [String: [String: [Allowed]]] = [:]
        /// The generation of each guarding module whose revocations are read, and the task that reads them.
        var readers: [String: (generation: Int, task: Task<Void, Never>)] = [:]
        /// The task that follows replacements of the guards.
        var following: Task<Void, Never>?
    }

    private let patterns: GuardPatterns
    private let registry: Registry
    private let activator: Activator
    private let state = Mutex(State())

    /// The time in which a guard must decide. A login may take longer, because it happens in a scene.
    private static let limit = Duration.seconds(5)

    /// Creates the guards that settings name.
    ///
    /// - Parameter guards: The patterns of the routes that each module guards.
    init(_ guards: [String: [String]], registry: Registry, activator: Activator) {
        (patterns, self.registry, self.activator) = (GuardPatterns(guards), registry, activator)
    }

    deinit {
        state.withLock { state in
            state.following?.cancel()
            for reader in state.readers.values { reader.task.cancel() }
        }
    }

    func modules(guarding route: String) -> [String] { patterns.modules(guarding: route) }

    /// Asks the guards of a route whether it may open.
    ///
    /// - Returns: The address of the route that must open first, or nil if the route may open.
    /// - Throws: ``ViperError/Code/routeRefused`` if a guard refuses, fails, or does not decide in time.
    func lead(before opening: GuardedOpening, askedOf modules: [String]) async throws(ViperError) -> String? {
        for module in modules {
            let decision: RouteDecision
            do throws(ViperError) {
                let (generation, watching) = try await provider(module)
                read(from: watching, of: module, generation)
                decision = try await withTimeLimit(Self.limit, "cannot ask the guard of", opening.route) {
                    () async throws(ViperError) in
                    do { return try await watching.decide(on: opening) } catch {
                        throw error as? ViperError
                            ?? ViperError(
                                .moduleFailed, operation: "cannot ask the guard of", subject: opening.route,
                                cause: "\(error)")
                    }
                }
            } catch {
                throw .routeRefused(opening.route, "its guard \"\(module)\" failed: \(error.cause)")
            }
            switch decision.outcome {
            case .allow: continue
            case .lead(let route): return route
            case .refuse(let reason): throw .routeRefused(opening.route, reason)
            }
        }
        return nil
    }

    private func provider(_ module: String) async throws(ViperError) -> (Int, any RouteGuard) {
        guard let record = registry.snapshot.modules.first(where: { $0.name == module }) else {
            throw ViperError(
                .moduleUnknown, operation: "cannot find module", subject: module, cause: "no module has this name")
        }
        let generation = try await activator.activate(record.file)
        return (generation.number, try await generation.services.resolveOrCreate(.routeGuard))
    }

    /// Notes a scene that the guards of its route have allowed.
    @MainActor
    func note(_ navigator: SceneNavigator, _ route: String, allowedBy modules: [String]) {
        let identity = navigator.identity
        state.withLock { state in
            for module in modules {
                var scenes = state.allowed[module, default: [:]][identity, default: []]
                // Each scene is looked at once more at most twice, because the list doubles between two of these.
                if scenes.count == scenes.capacity { scenes.removeAll { $0.navigator?.scene?.isClosed ?? true } }
                scenes.append(Allowed(navigator: navigator, route: route))
                state.allowed[module, default: [:]][identity] = scenes
            }
        }
    }
}

// Revocations.
extension RouteGuards {
    /// Reads the revocations of a guard, unless they are already being read from this generation.
    private func read(from watching: any RouteGuard, of module: String, _ generation: Int) {
        state.withLock { state in
            if state.readers[module]?.generation == generation { return }
            state.readers[module]?.task.cancel()
            let revocations = watching.revocations()
            let task = Task { [weak self] in
                for await revocation in revocations { await self?.close(revocation, of: module) }
            }
            state.readers[module] = (generation, task)
            if state.following == nil { state.following = follow() }
        }
    }

    /// Reads from the new generation when a guard is replaced, because the open scenes remain.
    private func follow() -> Task<Void, Never> {
        let changes = registry.changes(keeping: .bufferingNewest(1))
        return Task { [weak self] in
            for await _ in changes {
                guard let self else { return }
                for module in self.state.withLock({ $0.readers.keys.sorted() }) {
                    // A guard that fails now is asked again when a route opens.
                    guard let (generation, watching) = try? await self.provider(module) else { continue }
                    self.read(from: watching, of: module, generation)
                }
            }
        }
    }

    @MainActor
    private func close(_ revocation: Revocation, of module: String) {
        let scenes = state.withLock { $0.allowed[module]?.removeValue(forKey: revocation.identity) } ?? []
        for scene in scenes { scene.navigator?.end(because: .routeRefused(scene.route, revocation.reason)) }
    }
}

extension ViperError {
    fileprivate static func routeRefused(_ route: String, _ cause: String) -> ViperError {
        ViperError(.routeRefused, operation: "cannot open route", subject: route, cause: cause)
    }
}

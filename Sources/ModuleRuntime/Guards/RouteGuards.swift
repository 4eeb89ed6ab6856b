import HostSystem
import ModuleCatalog
import Synchronization
@_spi(Host) import ViperKit

/// The guards of a router. They are asked before a watched route opens, and can close its scenes.
final class RouteGuards: GenerationReader {
    private struct State {
        /// The scenes of each guarding module.
        var scenes: [String: GuardedScenes] = [:]
        /// The readers of each guarding module. An open scene can use an earlier generation, and log out with it.
        var readers: [String: [Reader]] = [:]
    }

    /// A task that reads the revocations of one generation of a guard.
    private struct Reader {
        /// Nil after the generation has stopped.
        weak var generation: Generation?
        var task: Task<Void, Never>
        /// Set when the guard has returned its sequence. From then on, no revocation is missed.
        var isReading: OneShot<Void>
    }

    private let patterns: GuardPatterns
    private let registry: Registry
    private let activator: Activator
    private let log: @Sendable (ViperError) -> Void
    private let state = Mutex(State())

    /// The time in which a guard must decide. A login may take longer, because it happens in a scene.
    private static let limit = Duration.seconds(5)

    /// Creates the guards that settings name.
    ///
    /// - Parameters:
    ///   - guards: The patterns of the routes that each module guards.
    ///   - log: A closure that receives the error of a guard whose revocations cannot be read yet.
    init(
        _ guards: [String: [String]], registry: Registry, activator: Activator,
        log: @escaping @Sendable (ViperError) -> Void
    ) {
        (patterns, self.registry, self.activator, self.log) = (GuardPatterns(guards), registry, activator, log)
    }

    deinit {
        let readers = state.withLock { $0.readers.values.joined() }
        for reader in readers { reader.task.cancel() }
    }

    /// True if a guard watches a route, or could watch the start route, whose name is empty here.
    func mayWatch(_ route: String) -> Bool {
        route.isEmpty ? !patterns.isEmpty : !patterns.modules(guarding: route).isEmpty
    }

    func modules(guarding route: String) -> [String] { patterns.modules(guarding: route) }

    /// Asks the guards of a route whether it may open.
    ///
    /// From now on, a revocation by one of these guards also closes the navigator's scene.
    ///
    /// - Returns: The address of the route that must open first, or nil if the route may open.
    /// - Throws: ``ViperError/Code/routeRefused`` if a guard refuses, fails, or does not decide in time.
    @MainActor
    func lead(
        before opening: GuardedOpening, of navigator: SceneNavigator
    ) async throws(ViperError) -> String? {
        let modules = patterns.modules(guarding: opening.route)
        // A guard can take back its decision while the module is being loaded.
        state.withLock { state in
            for module in modules { state.scenes[module, default: GuardedScenes()].add(navigator, opening.route) }
        }
        let lead = try await decide(on: opening, modules)
        // The other route opens with the same navigator, and is not guarded.
        if lead != nil { state.withLock { state in for module in modules { state.scenes[module]?.remove(navigator) } } }
        if let error = navigator.revocation { throw error }
        return lead
    }

    private func decide(on opening: GuardedOpening, _ modules: [String]) async throws(ViperError) -> String? {
        for module in modules {
            let decision: RouteDecision
            do throws(ViperError) {
                guard let record = record(of: module) else {
                    throw ViperError(
                        .moduleUnknown, operation: "cannot find module", subject: module,
                        cause: registry.disabledModule { $0.name == module } == nil
                            ? "no module has this name" : "the module is disabled")
                }
                let generation = try await activator.activate(record.file)
                let watching = try await generation.services.resolveOrCreate(.routeGuard)
                let isReading = read(from: watching, of: module, generation)
                decision = try await withTimeLimit(Self.limit, "cannot ask the guard of", opening.route) {
                    () async throws(ViperError) in
                    await isReading.value()
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
            case .refuse(let reason): throw .routeRefused(opening.route, reason, by: module)
            }
        }
        return nil
    }

    private func record(of module: String) -> ModuleRecord? {
        registry.snapshot.modules.first { $0.name == module }
    }
}

// Revocations.
extension RouteGuards {
    /// Reads the revocations of a guard, unless they are already being read from this generation. Ends the readers of
    /// stopped generations.
    ///
    /// - Returns: A value that is set when no revocation is missed any more.
    @discardableResult
    private func read(
        from watching: any RouteGuard, of module: String, _ generation: Generation
    ) -> OneShot<Void> {
        let (isReading, ended) = state.withLock { state in
            var readers = state.readers[module] ?? []
            let ended = readers.filter { $0.generation == nil }
            readers.removeAll { $0.generation == nil }
            defer { state.readers[module] = readers }
            if let reader = readers.first(where: { $0.generation === generation }) { return (reader.isReading, ended) }
            let isReading = OneShot<Void>()
            // `revocations()` is code of the module. It may block its thread, which must be neither the main thread nor
            // one of the cooperative pool.
            let task = Task(executorPreference: RunExecutor()) { [weak self] in
                let revocations = watching.revocations()
                isReading.set()
                for await revocation in revocations { await self?.close(revocation, of: module) }
            }
            readers.append(Reader(generation: generation, task: task, isReading: isReading))
            return (isReading, ended)
        }
        for reader in ended { reader.task.cancel() }
        return isReading
    }

    /// Reads from a new generation of a guard before others can use it, because the open scenes remain.
    ///
    /// A route may open with an earlier generation at any time before the new one is current. So the settings decide
    /// which generations are read, not the routes that have opened.
    func read(from generation: Generation) async {
        let module = generation.manifest.name
        guard patterns.modules.contains(module) else { return }
        do throws(ViperError) {
            try await withTimeLimit(Self.limit, "cannot read from guard", module) {
                [self] () async throws(ViperError) in
                let watching = try await generation.services.resolveOrCreate(.routeGuard)
                await read(from: watching, of: module, generation).value()
            }
        } catch {
            log(.unreadGuard(module, error))
            readWhenCurrent(generation, of: module)
        }
    }

    /// Reads from a guard that has failed or was late before its generation was current.
    private func readWhenCurrent(_ generation: Generation, of module: String) {
        let (signals, file) = (registry.changeSignals(), generation.files.entry.file)
        Task(executorPreference: RunExecutor()) { [weak self, weak generation] in
            for await _ in signals {
                guard let self, let generation, !generation.isRetired else { return }
                guard registry.snapshot.module(from: file)?.generation === generation else { continue }
                do throws(ViperError) {
                    let watching = try await generation.services.resolveOrCreate(.routeGuard)
                    read(from: watching, of: module, generation)
                } catch {
                    // It is asked again when a route opens.
                    log(.unreadGuard(module, error))
                }
                return
            }
        }
    }

    @MainActor
    private func close(_ revocation: Revocation, of module: String) {
        let scenes = state.withLock { $0.scenes[module]?.take(of: revocation.identity) } ?? []
        for (navigator, route) in scenes {
            navigator.revoke(because: .routeRefused(route, revocation.reason, by: module))
        }
    }
}

extension ViperError {
    /// The error of a route that does not open.
    ///
    /// - Parameter guarding: The module whose reason the cause is. Nil if the cause names the guard.
    fileprivate static func routeRefused(_ route: String, _ cause: String, by guarding: String? = nil) -> ViperError {
        ViperError(
            .routeRefused, operation: "cannot open route", subject: route, cause: cause,
            notes: guarding.map { [ViperError.Note("guard", $0)] } ?? [])
    }

    fileprivate static func unreadGuard(_ module: String, _ error: ViperError) -> ViperError {
        ViperError(
            error.code, operation: "cannot read from guard", subject: module, cause: error.cause, notes: error.notes,
            fix: error.fix)
    }
}

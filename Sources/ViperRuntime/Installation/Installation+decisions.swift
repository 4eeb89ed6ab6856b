import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// The decisions of a change, which are made while no other command changes the installed modules.
extension Installation {
    private enum Decision<Shown: Sendable, Done: Sendable>: Sendable {
        case made(Done)
        /// Another command has changed the modules, so the change is another one now.
        case changed(Shown)
    }

    /// Shows a change until it is wanted as it is, and makes it.
    ///
    /// - Parameters:
    ///   - decide: A closure that reads the installed modules and returns what to show.
    ///   - isWanted: A closure that shows it, and returns the change to make. Nil means that it is not wanted.
    ///   - make: A closure that makes the change.
    /// - Returns: The result of `make`, or nil if the change is not wanted.
    func carryOut<Shown: Equatable & Sendable, Wanted: Sendable, Done: Sendable>(
        _ decide: @escaping @Sendable () throws(ViperError) -> Shown,
        if isWanted: (Shown) async throws(ViperError) -> Wanted?,
        make: @escaping @Sendable (Wanted) throws(ViperError) -> Done
    ) async throws(ViperError) -> Done? {
        var shown = try await versions.locked(for: .reading, decide)
        while true {
            guard let wanted = try await isWanted(shown) else { return nil }
            // The client has left during the trial.
            if Task.isCancelled { throw .changeCancelled }
            let asked = shown
            let decision = try await versions.locked { () throws(ViperError) -> Decision<Shown, Done> in
                let now = try decide()
                return now == asked ? .made(try make(wanted)) : .changed(now)
            }
            switch decision {
            case .made(let done): return done
            case .changed(let now): shown = now
            }
        }
    }

    /// Returns the modules that lose something if one catalog takes the place of another.
    ///
    /// - Parameter module: The manifest of the module that changes.
    func losses(of module: Manifest, in catalog: Catalog, _ next: Catalog) -> [ModuleLoss] {
        ModuleLoss.all(
            from: resolved(catalog), to: resolved(next), besides: module.name, guards: configuration.settings.guards)
    }

    /// Returns the reason why a module of a catalog cannot be used yet, which another module or a setting can change.
    func lack(of module: Manifest, in catalog: Catalog) -> String? {
        let record = resolved(catalog).modules.first { $0.name == module.name }
        return record?.state.refusal.flatMap { $0.isLack ? $0.cause : nil }
    }

    private func resolved(_ catalog: Catalog) -> RegistrySnapshot {
        // Another command may have changed the list.
        let disabled = (try? Settings(reading: root).disabled) ?? configuration.settings.disabled
        return HostedModules.resolved(
            catalog.without(disabled),
            wiring: HostServices.wiring(
                configuration, HostServices.container(configuration, HeldSockets(inherited: [:]))),
            settings: configuration.settings)
    }
}

extension Catalog {
    /// Returns the catalog with another manifest of a packed module.
    ///
    /// - Parameter new: The new manifest. Nil if the module is removed.
    func replacing(_ module: Manifest, by new: Manifest?) -> Catalog {
        var catalog = self
        catalog.entries.removeAll { (try? $0.manifest.get())?.name == module.name }
        if let new { catalog.entries.append(CatalogEntry(file: "Plugins/\(new.library)", manifest: new)) }
        return catalog
    }
}

extension ViperError {
    /// True if the module of the error can be installed, because modules may be installed in any order, before their
    /// settings, and before a restart of the host that has loaded other libraries.
    var isLack: Bool { [.requirementUnmet, .contractUnmet, .settingInvalid, .libraryConflict].contains(code) }
}

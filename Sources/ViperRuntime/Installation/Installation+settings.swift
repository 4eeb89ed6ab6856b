import HostSystem
import ModuleCatalog
package import ModuleRuntime
package import ViperKit

extension Installation {
    /// Enables or disables a module in `host.json`.
    ///
    /// - Parameter isWanted: A closure that shows the modules that lose something, and returns true if the change is wanted.
    ///   It is called only if there are such modules.
    /// - Returns: False if the module already was. Nil if the change is not wanted.
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name, or the errors of
    ///   ``Settings/set(_:isDisabled:in:)``.
    package func set(
        _ module: String, isDisabled: Bool, _ isWanted: ([ModuleLoss]) async throws(ViperError) -> Bool
    ) async throws(ViperError) -> Bool? {
        try await carryOut { [self] () throws(ViperError) -> [ModuleLoss] in
            let catalog = try Catalog(reading: root)
            let manifest = catalog.manifests.first { $0.name == module }
            guard isDisabled else { return [] }
            if let manifest { return losses(of: manifest, in: catalog, catalog.without([module])) }
            // A module that was removed can still be enabled, so that its name leaves the file.
            let near = nearestNames(to: module, in: Set(catalog.manifests.map(\.name))).first
            throw ViperError(
                .moduleUnknown, operation: "cannot disable module", subject: module,
                cause: "no module has this name", notes: near.map { [.init("did you mean", $0)] } ?? [],
                fix: "run host modules to list all modules")
        } if: { (losses: [ModuleLoss]) async throws(ViperError) -> [ModuleLoss]? in
            if losses.isEmpty { return losses }
            return try await isWanted(losses) ? losses : nil
        } make: { [root] _ throws(ViperError) in
            try Settings.set(module, isDisabled: isDisabled, in: root)
        }
    }
}

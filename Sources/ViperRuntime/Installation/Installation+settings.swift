import HostSystem
import ModuleCatalog
import ModuleRuntime
package import ViperKit

extension Installation {
    /// Enables or disables a module in `host.json`.
    ///
    /// - Returns: False if the module already was.
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name, or the errors of
    ///   ``Settings/set(_:isDisabled:in:)``.
    package func set(_ module: String, isDisabled: Bool) async throws(ViperError) -> Bool {
        try await versions.locked { [root] () throws(ViperError) in
            let names = try Catalog(reading: root).manifests.map(\.name)
            // A module that was removed can still be enabled, so that its name leaves the file.
            guard names.contains(module) || !isDisabled else {
                let near = nearestNames(to: module, in: Set(names)).first
                throw ViperError(
                    .moduleUnknown, operation: "cannot disable module", subject: module,
                    cause: "no module has this name", notes: near.map { [.init("did you mean", $0)] } ?? [],
                    fix: "run host modules to list all modules")
            }
            return try Settings.set(module, isDisabled: isDisabled, in: root)
        }
    }
}

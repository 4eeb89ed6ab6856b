import Foundation
package import ModuleCatalog
package import ModuleRuntime
import TestSupport

/// Returns the catalog entry of a manifest with the given text.
package func catalogEntry(text: String, file: String) throws -> CatalogEntry {
    CatalogEntry(file: "Manifests/\(file)", text: .success(Data(text.utf8)))
}

/// Returns the catalog entry of a valid manifest. By default, the manifest's file is named after the module.
package func catalogEntry(
    _ name: String, sdk: String = "1.0", routes: [String] = [], requires: [String] = [], provides: [String] = [],
    file: String? = nil
) throws -> CatalogEntry {
    let text = manifestText(name, sdk: sdk, routes: routes, requires: requires, provides: provides)
    return try catalogEntry(text: text, file: file ?? "\(name).json")
}

extension Registry {
    /// Registers modules whose libraries are not known, and resolves them.
    package func register(_ entries: [CatalogEntry]) { register(entries.map { ModuleFiles($0) }) }
}

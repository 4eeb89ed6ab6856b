package import ModuleCatalog
import ModuleRuntime
package import ViperKit

extension Catalog {
    /// Returns the entry that already describes a module, or nil if there is none.
    ///
    /// - Throws: ``ViperError/Code/moduleDuplicate`` if another module uses the same library or name.
    ///   ``ViperError/Code/routeContested`` if another module declares one of the module's routes, because then neither
    ///   module would get the route.
    package func entry(describing module: Manifest) throws(ViperError) -> CatalogEntry? {
        var found: CatalogEntry?
        for entry in entries {
            guard let other = try? entry.manifest.get() else { continue }
            if other.name == module.name, other.library == module.library {
                found = found ?? entry
            } else if other.name == module.name || other.library == module.library {
                throw ViperError(
                    .moduleDuplicate, operation: "cannot install module", subject: module.name,
                    cause: "\(entry.file) belongs to another module, \(other.name) in \(other.library)",
                    notes: [.init("this module", "\(module.name) in \(module.library)")],
                    fix: "give this module a different name and library, or remove the other module")
            } else if let route = module.routes.map(\.name).first(where: other.routes.map(\.name).contains) {
                throw ViperError(
                    .routeContested, operation: "cannot install module", subject: module.name,
                    cause: "module \"\(other.name)\" already declares its route \"\(route)\"",
                    fix: "give the route another name, such as \(module.name)/\(route)")
            }
        }
        return found
    }
}

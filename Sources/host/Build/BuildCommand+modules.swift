import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

extension BuildCommand {
    /// Returns the manifest file in the root's `Manifests` folder that already describes the module, or nil if there is
    /// no such file. The host uses this file instead of the manifest in the library. If the file is the source's own
    /// manifest, the result is nil.
    ///
    /// This method also checks manifests that are packed into libraries.
    ///
    /// - Throws: `module-duplicate` if another module in the root uses the same library or name.
    ///   `route-contested` if another module declares one of the module's routes, because then neither module would get
    ///   the route.
    static func manifestFile(of source: ModuleSource, in root: Root) throws(ViperError) -> String? {
        let own = source.manifest
        var listed: String?
        for entry in try Catalog(reading: root).entries {
            guard let other = try? entry.manifest.get() else { continue }
            let file = "\(root.path)/\(entry.file)"
            if other.name == own.name, other.library == own.library {
                let isListed = resolved(file) != resolved(source.manifestFile) && file.hasSuffix(".json")
                listed = listed ?? (isListed ? file : nil)
            } else if other.name == own.name || other.library == own.library {
                throw duplicate(source, file, other)
            } else if let route = own.routes.first(where: { route in other.routes.contains { $0.name == route.name } })
            {
                throw ViperError(
                    .routeContested, operation: "cannot install module", subject: own.name,
                    cause: "module \"\(other.name)\" already declares its route \"\(route.name)\"",
                    fix: "give the route another name, such as \(own.name)/\(route.name)")
            }
        }
        return listed
    }

    private static func duplicate(
        _ source: ModuleSource, _ file: String, _ other: Manifest
    ) -> ViperError {
        ViperError(
            .moduleDuplicate, operation: "cannot build", subject: source.folder,
            cause: "\(file) belongs to another module, \(other.name) in \(other.library)",
            notes: [.init("this module", "\(source.manifest.name) in \(source.manifest.library)")],
            fix: "give this module a different name and library, or remove the other module")
    }
}

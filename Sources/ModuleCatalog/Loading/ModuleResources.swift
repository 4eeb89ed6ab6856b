package import HostSystem
package import ViperKit

/// The resources of a module.
package enum ModuleResources: Sendable {
    /// A folder in the root's `Plugins` folder.
    case folder(TrustedPath)
    /// Files in the module's library. They take precedence over a folder.
    case packed(PackedResources)

    /// The resources that a manifest declares. Nil if it declares none.
    ///
    /// - Parameter copy: The copy of the module's library. Nil if the module is linked into this process.
    package init?(of manifest: Manifest, _ copy: LibraryCopy?, in root: Root) {
        guard let folder = manifest.resources else { return nil }
        self =
            copy?.resources.map { .packed($0) }
            ?? .folder(TrustedPath(path: "\(root.plugins)/\(folder)", trust: root.trust))
    }

    /// Returns the error of resources that are neither in a folder nor in the library. Nil if they are there.
    package static func fault(of manifest: Manifest, in root: Root) -> ViperError? {
        guard let folder = manifest.resources, !isFolder("\(root.plugins)/\(folder)") else { return nil }
        for place in [root.plugins, root.executableFolder] {
            guard let file = try? RegularFile(path: "\(place)/\(manifest.library)") else { continue }
            if hasPackedResources(file) { return nil }
            break
        }
        return ViperError(
            .folderUnreadable, operation: "cannot use resources of", subject: manifest.name,
            cause: "the folder \(root.plugins)/\(folder) does not exist",
            fix: "copy it there, or pack it into \(manifest.library) with host pack")
    }

    /// Logs a warning if the folder is missing, or a message if it is not used because resources are packed.
    ///
    /// - Parameter file: The file that contains the manifest.
    package func logUnused(in file: String, _ manifest: Manifest, _ root: Root, _ logger: LineLogger) {
        let folder = "\(root.plugins)/\(manifest.resources ?? "")"
        switch (self, isFolder(folder)) {
        case (.folder, false): logger.log(.warning, "\(file): missing resource folder \(folder)")
        case (.packed, true):
            logger.log(.info, "\(file): \(manifest.library) contains its resources; the folder \(folder) is not used")
        default: break
        }
    }

    /// The place of the resources, for errors.
    package var place: String {
        switch self {
        case .folder(let folder): folder.path
        case .packed(let packed): packed.library
        }
    }

    /// A path to the folder, or to the library's file, that works in this process's children.
    package var path: String {
        switch self {
        case .folder(let folder): folder.path
        case .packed(let packed): packed.ownPath
        }
    }
}

import FoundationEssentials
package import HostSystem
package import ViperKit

extension Root {
    /// Creates a root that links to the contents of this one. The given library takes the place of the module's library.
    ///
    /// - Parameters:
    ///   - folder: The folder that becomes the root.
    ///   - library: The path of the library.
    ///   - manifest: The manifest of the module.
    ///   - isPacked: True if the library contains the manifest. A file in `Manifests`, which would take precedence, is then
    ///     left out.
    package func overlay(
        in folder: PrivateFolder, with library: String, _ manifest: Manifest, isPacked: Bool
    ) throws(ViperError) -> Root {
        let (files, path) = (FileManager.default, folder.path)
        do {
            for name in ["Manifests", "Plugins"] { try folder.makeFolder(named: name) }
            for name in (try? files.contentsOfDirectory(atPath: plugins)) ?? [] where name != manifest.library {
                try files.createSymbolicLink(
                    atPath: "\(path)/Plugins/\(name)", withDestinationPath: "\(plugins)/\(name)")
            }
            for entry in try Catalog(reading: self).entries where entry.file.hasPrefix("Manifests/") {
                if (try? entry.manifest.get())?.name == manifest.name, isPacked { continue }
                try files.createSymbolicLink(
                    atPath: "\(path)/\(entry.file)", withDestinationPath: "\(self.path)/\(entry.file)")
            }
            // The path must be absolute, because the link is in another folder.
            try files.createSymbolicLink(
                atPath: "\(path)/Plugins/\(manifest.library)", withDestinationPath: try absolute(library))
        } catch let error as ViperError {
            throw error
        } catch {
            throw ViperError(
                .storeFailed, operation: "cannot prepare folder", subject: path, cause: systemReason(error))
        }
        return with(path: path)
    }
}

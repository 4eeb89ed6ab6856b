package import HostSystem
package import ModuleCatalog
package import ViperKit

/// A version of a module's files: the manifest, and the identity of the library.
///
/// It is a class, because records and desired versions share it.
package final class ModuleFiles: Sendable {
    package let entry: CatalogEntry
    /// The module's name, or the file name up to its first dot if the manifest cannot be read. It is stored, because
    /// records are sorted by it, and reading it from the manifest copies the manifest.
    let name: String
    /// The hosts that call the module's `run()`. Stored for the same reason.
    package let runs: Manifest.Runs
    /// The manifest as bytes, or the error if it is invalid.
    private let manifest: Result<[UInt8], ViperError>
    /// Nil if the library does not exist or was not looked at.
    private let library: FileIdentity?
    /// True if the files were removed. This version then differs from every other one.
    package let isWithdrawn: Bool
    /// The number of requests to load the module again. Each makes another version of the same files.
    let reloads: Int

    package init(_ entry: CatalogEntry, library: FileIdentity? = nil, reloads: Int = 0) {
        (self.entry, self.library, isWithdrawn, self.reloads) = (entry, library, false, reloads)
        manifest = entry.manifest.map(\.bytes)
        runs = (try? entry.manifest.get().runs) ?? .never
        name =
            (try? entry.manifest.get().name)
            ?? String(entry.file.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    private init(withdrawing files: ModuleFiles) {
        (entry, name, runs, isWithdrawn) = (files.entry, files.name, files.runs, true)
        (manifest, library, reloads) = (files.manifest, files.library, files.reloads)
    }

    /// The same files after their removal.
    var withdrawn: ModuleFiles { ModuleFiles(withdrawing: self) }

    /// True if the manifest is valid, but the library does not exist or was not looked at.
    package var lacksLibrary: Bool { library == nil && failure == nil }

    /// The error of an invalid manifest. Nil if the manifest is valid.
    package var failure: ViperError? {
        if case .failure(let error) = entry.manifest { error } else { nil }
    }
}

extension ModuleFiles: Equatable {
    package static func == (left: ModuleFiles, right: ModuleFiles) -> Bool {
        left === right
            || !left.isWithdrawn && !right.isWithdrawn && left.library == right.library
                && left.reloads == right.reloads && left.hasSameManifest(as: right)
    }

    // `==` of two results compares the bytes one by one, which takes a quarter of a reconciliation.
    private func hasSameManifest(as other: ModuleFiles) -> Bool {
        switch (manifest, other.manifest) {
        case (.success(let bytes), .success(let others)): bytes == others
        case (.failure(let error), .failure(let other)): error == other
        default: false
        }
    }
}

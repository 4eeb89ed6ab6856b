import FoundationEssentials
import ViperKit

/// A manifest that is embedded in a section of a library. With an embedded manifest, one file contains the whole
/// module.
package enum EmbeddedManifest {
    /// The name of the section. The section is not loaded into memory; only tools and the host's own ELF reader use it.
    package static let section = ".viper_manifest"

    /// Returns the text of the manifest in a library. Returns nil if the library contains no manifest, or if the bytes
    /// are not a library.
    package static func text(in library: [UInt8]) -> ArraySlice<UInt8>? {
        try? ElfFile(library).section(named: section)
    }

    /// Returns the manifest in a library. Returns nil if the library contains no manifest, or if the bytes are not a
    /// library.
    ///
    /// - Parameters:
    ///   - library: The content of the library.
    ///   - file: The name of the library to show in errors.
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the section contains no valid manifest.
    static func read(in library: [UInt8], named file: String) throws(ViperError) -> Manifest? {
        guard let text = text(in: library) else { return nil }
        return try Manifest(text: Data(text), named: file)
    }
}

extension Manifest {
    /// Returns the sorted keys whose values differ between this manifest and another manifest.
    func differences(from other: Manifest) -> [String] {
        let keys: [(String, Bool)] = [
            ("config", config == other.config), ("isolation", isolation == other.isolation),
            ("library", library == other.library), ("name", name == other.name),
            ("optional", optional == other.optional), ("provides", provides == other.provides),
            ("requires", requires == other.requires),
            ("resources", resources == other.resources), ("routes", routes == other.routes),
            ("sdk", sdk == other.sdk), ("version", version == other.version),
        ]
        return keys.filter { !$1 }.map { $0.0 }
    }
}

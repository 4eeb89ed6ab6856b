import FoundationEssentials
import ViperKit

/// The manifest that a library may carry in a section, so that one file contains the whole module.
package enum EmbeddedManifest {
    /// The name of the section. The section is not loaded into memory; only tools and the host's own ELF reader use it.
    package static let section = ".viper_manifest"

    /// Returns the text of the manifest in a library. Returns nil if the library carries none, or if the bytes are not
    /// a library.
    package static func text(in library: [UInt8]) -> ArraySlice<UInt8>? {
        try? ElfFile(library).section(named: section)
    }

    /// Returns the manifest in a library. Returns nil if the library carries none, or if the bytes are not a library.
    ///
    /// - Parameters:
    ///   - library: The content of the library.
    ///   - file: The name of the library for errors.
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the section contains no valid manifest.
    static func read(in library: [UInt8], named file: String) throws(ViperError) -> Manifest? {
        guard let text = text(in: library) else { return nil }
        return try Manifest(text: Data(text), named: file)
    }
}

extension Manifest {
    /// Returns the keys whose values differ from another manifest, sorted.
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

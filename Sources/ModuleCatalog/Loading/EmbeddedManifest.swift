import FoundationEssentials
import ViperKit

/// The manifest that a library may carry with it, in a section of its own, so that one file is the whole module.
package enum EmbeddedManifest {
    /// The name of the section. It takes no room in memory: only tools and the catalog read it.
    package static let section = ".viper_manifest"

    /// The text of the manifest in a library's bytes, as it was packed; nil when it carries none or is no library at all.
    package static func text(in library: [UInt8]) -> ArraySlice<UInt8>? {
        try? ElfFile(library).section(named: section)
    }

    /// The manifest in a library's bytes, or nil when it carries none or is no library at all.
    ///
    /// - Parameter file: What errors call it by.
    /// - Throws: ``ViperError/Code/manifestInvalid`` when what it carries is no manifest.
    static func read(in library: [UInt8], named file: String) throws(ViperError) -> Manifest? {
        guard let text = text(in: library) else { return nil }
        return try Manifest(text: Data(text), named: file)
    }
}

extension Manifest {
    /// The keys in which this manifest says something else than another, sorted.
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

import FoundationEssentials
import HostSystem
package import ViperKit

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

    /// Returns the text of the manifest in a library by reading only the section that contains it. Returns nil if the
    /// library contains no manifest, or if the file is not a library.
    ///
    /// - Throws: ``ElfFile/Problem`` if the library is damaged, or is not a library for this machine.
    static func text(in file: borrowing RegularFile) throws(ElfFile.Problem) -> ArraySlice<UInt8>? {
        let beginning = try ElfFile.part(of: file, 0, min(ElfFile.headerSize, file.size))
        guard beginning.starts(with: ElfFile.magic) else { return nil }
        try ElfFile.checkHeader([UInt8](beginning))
        return try ElfFile.section(named: section, inFileOf: file.size) { offset, count throws(ElfFile.Problem) in
            try ElfFile.part(of: file, offset, count)
        }
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
    /// Creates a manifest by reading it from a library. Reads only the section that contains it.
    ///
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the library contains no valid manifest.
    ///   ``ViperError/Code/libraryFileMissing`` or ``ViperError/Code/libraryInvalid`` if the library cannot be read.
    package init(packedIn library: String) throws(ViperError) {
        let file: RegularFile
        do { file = try RegularFile(path: library) } catch { throw .unreadable(library, error) }
        try self.init(packedIn: file, at: library)
    }

    /// Does the same as ``init(packedIn:)`` for an open library.
    init(packedIn file: borrowing RegularFile, at library: String) throws(ViperError) {
        let text: Data?
        do { text = try EmbeddedManifest.text(in: file).map { Data($0) } } catch {
            throw ViperError(
                .libraryInvalid, operation: "cannot read library", subject: library, cause: error.cause)
        }
        guard let text else {
            throw ViperError(
                .manifestInvalid, operation: "cannot use library", subject: library, cause: "it contains no manifest",
                fix: "run host pack \(library) MANIFEST.json")
        }
        try self.init(text: text, named: library)
    }

    /// Returns the sorted keys whose values differ between this manifest and another manifest.
    func differences(from other: Manifest) -> [String] {
        let keys: [(String, Bool)] = [
            ("author", author == other.author), ("collects", collects == other.collects),
            ("config", config == other.config),
            ("contracts", contracts == other.contracts),
            ("contributes", contributes == other.contributes),
            ("homepage", homepage == other.homepage), ("isolation", isolation == other.isolation),
            ("kind", kind == other.kind), ("library", library == other.library),
            ("license", license == other.license), ("name", name == other.name),
            ("opens", opens == other.opens),
            ("optional", optional == other.optional), ("provides", provides == other.provides),
            ("requires", requires == other.requires),
            ("resources", resources == other.resources), ("routes", routes == other.routes),
            ("runs", runs == other.runs), ("sdk", sdk == other.sdk), ("version", version == other.version),
        ]
        return keys.filter { !$1 }.map { $0.0 }
    }
}

import FoundationEssentials
import HostSystem
package import ViperKit

/// What can be told of a library without running anything of it.
package struct LibraryReport: Encodable {
    /// The file's name.
    package var file: String
    /// Its size in bytes.
    package var size: Int
    /// The number that the linker gave to this very build.
    package var buildID: String?
    /// The minor version of Swift that built it; of a module.
    package var swift: String?
    /// The C names of its entries; a module has one.
    package var entries: [String]
    /// The libraries that it needs.
    package var libraries: [String]
    /// The declarations of ViperKit that it needs.
    package var declarations: [String]
    /// Of these, those that this host's ViperKit does not have.
    package var missing: [String]
    /// The manifest that it carries, as it was packed.
    package var manifest: String?

    /// Reads a library, and waits while a process writes it.
    ///
    /// - Throws: ``ViperError/Code/libraryInvalid`` when the file cannot be read, or is no library for this machine;
    ///   ``ViperError/Code/libraryUnfinished`` if it is not complete in time.
    package init(reading path: String) async throws(ViperError) {
        self = try await whenFinished { () throws(ViperError) in try LibraryReport(path) }
    }

    private init(_ path: String) throws(ViperError) {
        file = path.split(separator: "/").last.map(String.init) ?? path
        do {
            let bytes = [UInt8](try RegularFile(path: path).readFinished(limit: LibraryFinder.limit))
            let elf = try ElfFile(bytes)
            let linkage = try elf.linkage()
            let needed = linkage.undefined.filter(LibraryCheck.isDeclaredByViperKit)
            (size, buildID, libraries) = (bytes.count, try elf.buildID(), linkage.neededLibraries)
            swift = LibraryCheck.compiler(amongThoseNeeded: linkage.undefined)
            entries = linkage.defined.filter { $0.hasPrefix(LibraryCheck.entryPrefix) }.sorted()
            declarations = LibraryCheck.declarations(needed)
            missing = LibraryCheck.declarations(needed.filter { !DynamicLinker.hasSymbol($0) })
            manifest = EmbeddedManifest.text(in: bytes).map { String(decoding: $0, as: UTF8.self) }
        } catch let failure as RegularFile.Failure {
            if failure.isUnfinished { throw .unfinished(file, path, failure) }
            throw ViperError(.libraryInvalid, "cannot read library", path, cause: failure.cause)
        } catch {
            let cause = (error as? ElfFile.Problem)?.cause ?? "\(error)"
            throw ViperError(.libraryInvalid, "cannot read library", path, cause: cause)
        }
    }
}

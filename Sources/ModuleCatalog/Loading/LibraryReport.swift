import FoundationEssentials
import HostSystem
package import ViperKit

/// A description of a library, which is created without running the library's code.
package struct LibraryReport: Encodable {
    package var file: String
    package var size: Int
    /// The build ID that the static linker assigned.
    package var buildID: String?
    /// The minor version of Swift that built the library. Nil if the library is not a module.
    package var swift: String?
    /// The C names of the entries. A module has exactly one.
    package var entries: [String]
    /// The libraries that this library needs.
    package var libraries: [String]
    /// The declarations of ViperKit that the library needs.
    package var declarations: [String]
    /// The declarations that the library needs and this host's ViperKit does not have.
    package var missing: [String]
    /// The text of the embedded manifest.
    package var manifest: String?

    /// Reads a library. If a process is writing it, waits until it is complete.
    ///
    /// - Throws: ``ViperError/Code/libraryInvalid`` if the file cannot be read or is not a library for this machine.
    ///   ``ViperError/Code/libraryUnfinished`` if the library is not complete in time.
    package init(reading path: String) async throws(ViperError) {
        self = try await whenFinished { () throws(ViperError) in try LibraryReport(path) }
    }

    private init(_ path: String) throws(ViperError) {
        file = pathNames(path).last ?? path
        do {
            let bytes = [UInt8](try RegularFile(path: path).readFinished(limit: LibraryFinder.limit))
            let elf = try ElfFile(bytes)
            let linkage = try elf.linkage()
            let needed = linkage.undefined.filter(LibraryCheck.mayBeDeclaredByViperKit)
            (size, buildID, libraries) = (bytes.count, try elf.buildID(), linkage.neededLibraries)
            swift = LibraryCheck.compiler(amongThoseNeeded: linkage.undefined)
            entries = linkage.defined.filter(LibraryCheck.isEntry).sorted()
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

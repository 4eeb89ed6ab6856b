import FoundationEssentials
import HostSystem
package import ViperKit

/// A description of a library. It is created without running the library's code.
package struct LibraryReport: Encodable {
    package var file: String
    package var size: Int
    /// The build ID that the static linker assigned. Nil if the library has none.
    package var buildID: String?
    /// The version of the Swift compiler that built the library, as `MAJOR.MINOR`. Nil if the library has no version
    /// symbol.
    package var swift: String?
    /// The C names of the library's entry functions. A module has exactly one entry function.
    package var entries: [String]
    /// The libraries that this library needs.
    package var libraries: [String]
    /// The ViperKit declarations that the library needs.
    package var declarations: [String]
    /// The declarations that the library needs and that this host's ViperKit does not have.
    package var missing: [String]
    /// The embedded manifest as text. Nil if the library contains no manifest.
    package var manifest: String?
    /// The files that are packed into the library.
    package var resources: [ResourceIndex.File]

    /// Creates a report by reading a library. If another process is still writing the library, waits until it is
    /// complete.
    ///
    /// - Throws: ``ViperError/Code/libraryInvalid`` if the file cannot be read or is not a library for this machine.
    ///   ``ViperError/Code/libraryUnfinished`` if the library is not complete in time.
    package init(reading path: String) async throws(ViperError) {
        self = try await whenFinished { () throws(ViperError) in try LibraryReport(path) }
    }

    private init(_ path: String) throws(ViperError) {
        file = pathNames(path).last ?? path
        do {
            let library = try RegularFile(path: path)
            let read = try library.whileFinished { library throws(RegularFile.Failure) in
                try LibraryContent.read(library, named: path)
            }
            let content = try read.get()
            let bytes = content.bytes
            let elf = try ElfFile(bytes)
            let linkage = try elf.linkage()
            let needed = linkage.undefined.filter(ModuleSymbols.viperKit.mayDeclare)
            (size, buildID, libraries) = (content.size, try elf.buildID(), linkage.needs.libraries)
            swift = LibraryCheck.compiler(amongThoseNeeded: linkage.undefined)
            entries = linkage.defined.filter(LibraryCheck.isEntry).sorted()
            declarations = ModuleSymbols.viperKit.declarations(needed)
            missing = ModuleSymbols.viperKit.declarations(needed.filter { !DynamicLinker.hasSymbol($0) })
            resources = content.resources?.index.files ?? []
            manifest = EmbeddedManifest.text(in: bytes).map { String(decoding: $0, as: UTF8.self) }
        } catch let failure as RegularFile.Failure {
            if failure.isUnfinished { throw .unfinished(file, path, failure) }
            throw .unreadable(path, failure)
        } catch {
            let cause = (error as? ElfFile.Problem)?.cause ?? "\(error)"
            throw ViperError(.libraryInvalid, operation: "cannot read library", subject: path, cause: cause)
        }
    }
}

import FoundationEssentials
package import HostSystem
package import ViperKit

/// The content of a library, without the files that are packed into it.
///
/// The digest of ``code`` also identifies the packed files, because the code contains their index with their digests.
struct LibraryContent: Sendable {
    /// All bytes before the contents of the packed files.
    let code: Data
    /// The size of the whole file in bytes.
    let size: Int
    /// Nil if no files are packed into the library.
    let resources: PackedResources?

    var bytes: [UInt8] { [UInt8](code) }

    /// Reads a library.
    ///
    /// - Parameter name: The library's name, for errors.
    /// - Returns: The content, or a problem if the packed files are incomplete or damaged.
    /// - Throws: The failure if the file cannot be read, or if its code is larger than ``ElfFile/limit``.
    static func read(
        _ file: borrowing RegularFile, named name: String
    ) throws(RegularFile.Failure) -> Result<LibraryContent, ElfFile.Problem> {
        let found: (index: ResourceIndex, offset: Int)?
        do throws(ElfFile.Problem) { found = try ResourceIndex.read(in: file) } catch { return .failure(error) }
        guard let (index, offset) = found else {
            return .success(
                LibraryContent(code: try file.read(limit: ElfFile.limit), size: file.size, resources: nil))
        }
        guard offset <= ElfFile.limit else {
            throw RegularFile.Failure("it has \(offset) bytes, more than the limit of \(ElfFile.limit)")
        }
        return .success(
            LibraryContent(
                code: try file.read(at: 0, count: offset), size: file.size,
                resources: PackedResources(index, of: name, at: offset, in: try file.duplicate())))
    }
}

/// Checks that a file contains a module's manifest, and no more code than a library can have. Reads only a part of it.
///
/// - Throws: The errors of ``Manifest/init(packedIn:)``, or ``ViperError/Code/libraryInvalid``.
func checkModule(in file: borrowing RegularFile, at path: String) throws(ViperError) {
    _ = try Manifest(packedIn: file, at: path)
    let cause: String
    do {
        let size = try ResourceIndex.read(in: file)?.offset ?? file.size
        if size <= ElfFile.limit { return }
        cause = "it has \(size) bytes, more than the limit of \(ElfFile.limit)"
    } catch { cause = error.cause }
    throw ViperError(.libraryInvalid, operation: "cannot read library", subject: path, cause: cause)
}

/// Returns true if files are packed into a library. Reads only a part of it.
func hasPackedResources(_ file: borrowing RegularFile) -> Bool { (try? ResourceIndex.read(in: file)) != nil }

/// Returns the digest that identifies a library.
package func libraryDigest(ofFile path: String) throws(ViperError) -> Digest {
    do {
        let content = try LibraryContent.read(try RegularFile(path: path), named: path)
        return Digest(of: try content.get().code)
    } catch {
        throw .unreadable(path, (error as? RegularFile.Failure) ?? RegularFile.Failure("it is damaged"))
    }
}

extension ResourceIndex {
    /// Reads the index of a library. Returns nil if the library has no packed resources.
    fileprivate static func read(
        in file: borrowing RegularFile
    ) throws(ElfFile.Problem) -> (index: ResourceIndex, offset: Int)? {
        let beginning = try ElfFile.part(of: file, 0, min(ElfFile.headerSize, file.size))
        guard ElfFile.isLoadable(beginning: [UInt8](beginning)) else { return nil }
        return try read(inFileOf: file.size) { offset, count throws(ElfFile.Problem) in
            try ElfFile.part(of: file, offset, count)
        }
    }
}

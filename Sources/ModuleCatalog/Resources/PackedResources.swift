package import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

/// The files that are packed into a library. They are read from the library's file when they are needed.
///
/// The file stays open, so a module keeps its resources when its library is replaced by a rename.
package final class PackedResources: Sendable {
    package let index: ResourceIndex
    /// The library's name, for errors.
    package let library: String
    private let file: RegularFile
    /// The offset of the first content in the file.
    private let offset: Int

    init(_ index: ResourceIndex, of library: String, at offset: Int, in file: consuming RegularFile) {
        (self.index, self.library, self.offset) = (index, library, offset)
        self.file = file
    }

    /// A path to the open file that works while this object exists, also in this process's children.
    package var ownPath: String { file.ownPath }

    /// Returns the same resources, read from another open file.
    func inFile(_ file: consuming RegularFile) -> PackedResources {
        PackedResources(index, of: library, at: offset, in: file)
    }

    /// Returns the content of a file. Returns nil if there is no file with this name.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: ``ViperError/Code/fileUnreadable`` if the file is larger, or if its content is not the packed one.
    package func content(of name: String, limit: Int) throws(ViperError) -> Data? {
        guard let (packed, start) = index.file(named: name) else { return nil }
        guard packed.size <= limit else {
            throw failure(name, "it has \(packed.size) bytes, more than the limit of \(limit)")
        }
        let content: Data
        do { content = try file.read(at: offset + start, count: packed.size) } catch {
            throw failure(name, error.cause)
        }
        guard Digest(of: content) == packed.digest else {
            throw failure(
                name, "its content differs from the packed one",
                fix: "replace libraries by a rename, and do not write to them")
        }
        return content
    }

    private func failure(_ name: String, _ cause: String, fix: String? = nil) -> ViperError {
        ViperError(
            .fileUnreadable, operation: "cannot read file", subject: name, cause: cause,
            notes: [.init("library", library)], fix: fix)
    }
}

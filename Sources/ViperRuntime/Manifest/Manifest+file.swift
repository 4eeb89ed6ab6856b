package import FoundationEssentials
package import ViperKit

extension Manifest {
    /// More than any manifest needs; a larger file is refused unread.
    private static let limit = 1 << 20

    private static let purpose = JSONText.Purpose(code: .manifestInvalid, what: "cannot use manifest")

    /// Reads a manifest's text.
    ///
    /// - Parameter file: What errors call it by.
    /// - Throws: ``ViperError/Code/manifestInvalid`` with `file:line:column`.
    package init(text: Data, named file: String) throws(ViperError) {
        guard text.count <= Self.limit else {
            throw ViperError(
                Self.purpose.code, Self.purpose.what, file,
                cause: "it has \(text.count) bytes, more than the limit of \(Self.limit)")
        }
        self = try JSONText(name: file, data: text, purpose: Self.purpose).decode(Manifest.self)
    }

    /// Reads a manifest's file.
    ///
    /// - Throws: As ``init(text:named:)``, and when the file cannot be read.
    package init(readingFile path: String, named file: String) throws(ViperError) {
        try self.init(text: Self.text(ofFile: path, named: file), named: file)
    }

    /// The text of a manifest's file.
    static func text(ofFile path: String, named file: String) throws(ViperError) -> Data {
        do {
            return try RegularFile(path: path).read(limit: limit)
        } catch {
            throw ViperError(purpose.code, purpose.what, file, cause: error.cause)
        }
    }
}

package import FoundationEssentials
import HostSystem
package import ViperKit

extension Manifest {
    private static let purpose = JSONText.Purpose(code: .manifestInvalid, operation: "cannot use manifest")

    /// Creates a manifest by decoding its text.
    ///
    /// - Parameters:
    ///   - text: The manifest's text.
    ///   - file: The file's name to show in errors.
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the manifest is invalid. The error contains the position as
    ///   `file:line:column`.
    package init(text: Data, named file: String) throws(ViperError) {
        if text.count > ManifestLimits.bytes { throw Self.tooLarge(text.count, file) }
        self = try JSONText(name: file, data: text, purpose: Self.purpose).decode(Manifest.self)
    }

    /// Creates a manifest by reading a file.
    ///
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the file cannot be read or is invalid.
    package init(readingFile path: String, named file: String) throws(ViperError) {
        try self.init(text: Self.text(ofFile: path, named: file), named: file)
    }

    static func text(ofFile path: String, named file: String? = nil) throws(ViperError) -> Data {
        try text(named: file ?? path) { () throws(RegularFile.Failure) in try RegularFile(path: path) }
    }

    /// Returns the text of a manifest file.
    ///
    /// - Parameters:
    ///   - file: The file's name to show in errors.
    ///   - open: A closure that opens the file.
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the file cannot be read or is too large, or
    ///   ``ViperError/Code/pathUntrusted``.
    static func text(
        named file: String, _ open: () throws(RegularFile.Failure) -> RegularFile
    ) throws(ViperError) -> Data {
        let size: Int
        do throws(RegularFile.Failure) {
            let content = try open()
            size = content.size
            if size <= ManifestLimits.bytes { return try content.read(limit: ManifestLimits.bytes) }
        } catch {
            throw error.refusal(purpose.operation, file)
                ?? ViperError(
                    purpose.code, operation: purpose.operation, subject: file, cause: error.cause,
                    fix: error.isMisnamed ? "rename it" : nil)
        }
        throw tooLarge(size, file)
    }

    private static func tooLarge(_ size: Int, _ file: String) -> ViperError {
        ViperError(
            purpose.code, operation: purpose.operation, subject: file,
            cause: "it has \(size) bytes, more than the limit of \(ManifestLimits.bytes)",
            fix: "shorten its texts, or split the module")
    }
}

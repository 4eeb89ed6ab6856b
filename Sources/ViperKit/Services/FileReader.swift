/// A reader for a module's files. It searches the host's `--data` folders first, and then the module's resources.
///
/// Access is read-only and limited to these folders. File names are relative paths with `/` as separator. Absolute
/// paths, paths with `.` or `..`, and symbolic links to files outside these folders cause
/// ``ViperError/Code/fileDenied``. All methods run off the main actor.
public protocol FileReader: Sendable {
    /// Returns the contents of a file.
    ///
    /// - Throws:
    ///   - ``ViperError/Code/fileMissing`` if no folder contains the file.
    ///   - ``ViperError/Code/fileDenied`` if the name is not a relative path, or refers to a file outside the folders.
    ///   - ``ViperError/Code/fileUnreadable`` if the file cannot be read.
    ///   - ``ViperError/Code/pathUntrusted`` if other users can change the module's resources.
    func read(_ name: String) async throws(ViperError) -> [UInt8]

    /// Decodes a value from a JSON file. Modules that use this method need not import Foundation.
    ///
    /// - Throws:
    ///   - The errors of ``read(_:)``.
    ///   - ``ViperError/Code/fileEmpty`` if the file contains only white space.
    ///   - ``ViperError/Code/fileMalformed`` if the file is not valid JSON for this type. The error's subject is
    ///     `file:line:column`.
    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from name: String) async throws(ViperError) -> Value
}

extension ServiceKey where Service == any FileReader {
    /// The reader of the module's files, named `file-reader` in manifests. The host provides this service.
    public static var fileReader: Self { Self("file-reader") }
}

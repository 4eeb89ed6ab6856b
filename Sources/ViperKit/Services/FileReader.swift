/// Reads files that belong to a module: those of the host's `--data` folders first, then the module's resources.
///
/// Read-only and scoped. A name is relative, with `/` between its parts; `..`, absolute names and symbolic links that lead
/// out of those folders are refused with ``ViperError/Code/fileDenied``. Works off the main actor.
public protocol FileReader: Sendable {
    /// The bytes of a file.
    ///
    /// - Throws: ``ViperError/Code/fileMissing``, ``ViperError/Code/fileDenied`` or ``ViperError/Code/fileUnreadable``.
    func read(_ name: String) async throws(ViperError) -> [UInt8]

    /// The content of a JSON file, so that a module needs no Foundation to read it.
    ///
    /// - Throws: What ``read(_:)`` throws; ``ViperError/Code/fileEmpty`` when the file has nothing but white space;
    ///   ``ViperError/Code/fileMalformed`` with `file:line:column` when it is no JSON or not of this type.
    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from name: String) async throws(ViperError) -> Value
}

extension ServiceKey where Service == any FileReader {
    /// The reader of the module's files, `file-reader` in manifests. The host provides it.
    public static var fileReader: Self { Self("file-reader") }
}

import FoundationEssentials
import Glibc
import HostSystem
package import ModuleCatalog
package import ViperKit

/// A file reader that is limited to the files in a list of folders.
package struct ScopedFileReader: FileReader {
    /// The folders from `--data` or the settings, in search order.
    let folders: [String]
    /// The module's resources, which are searched after the data folders. Nil if the module has none.
    var resources: ModuleResources?

    package init(folders: [String], resources: ModuleResources? = nil) {
        (self.folders, self.resources) = (folders, resources)
    }

    private var places: [ModuleResources] {
        // The operator has chosen these folders, and they contain only data. Other users may therefore be able to
        // change them.
        folders.map { .folder(TrustedPath(path: $0, trust: Trust(.none))) } + (resources.map { [$0] } ?? [])
    }

    /// The maximum size of a file in bytes, which is 1 GiB. This is larger than any expected data file, and small
    /// enough to read at once.
    private static let limit = ResourceIndex.longestFile

    package func read(_ name: String) async throws(ViperError) -> [UInt8] { [UInt8](try await data(name)) }

    /// Returns the contents of a file that has at most `limit` bytes.
    func read(_ name: String, limit: Int) async throws(ViperError) -> [UInt8] {
        [UInt8](
            try await BlockingWork.run { () throws(ViperError) in try content(of: name, limit: limit) })
    }

    package func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from name: String
    ) async throws(ViperError) -> Value {
        try decodeFile(type, named: name, from: try await data(name))
    }

    private func data(_ name: String) async throws(ViperError) -> Data {
        try await BlockingWork.run { () throws(ViperError) in try content(of: name, limit: Self.limit) }
    }

    private static let operation = "cannot read file"

    private static func isPath(_ path: String, inside folder: String) -> Bool {
        // Compares bytes, because strings can be canonically equivalent even if the paths differ.
        path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
    }

    private func content(of name: String, limit: Int) throws(ViperError) -> Data {
        guard isPlainPath(name) else {
            throw ViperError(
                .fileDenied, operation: Self.operation, subject: name,
                cause: "it is not a path relative to the module's folders",
                fix: "give a path without a leading slash, \".\" or \"..\"")
        }
        for place in places {
            let content =
                switch place {
                case .folder(let folder): try self.content(of: name, in: folder, limit: limit)
                case .packed(let packed): try packed.content(of: name, limit: limit)
                }
            if let content { return content }
        }
        let looked = places.isEmpty ? ["no folder"] : places.map(\.place)
        throw ViperError(
            .fileMissing, operation: Self.operation, subject: name, cause: "it does not exist",
            notes: looked.map { .init("looked in", $0) },
            fix: "add it to the module's resources, or give --data DIR")
    }

    /// Returns the content of a file in a folder. Returns nil if the file is missing.
    private func content(of name: String, in place: TrustedPath, limit: Int) throws(ViperError) -> Data? {
        let folder = place.path
        do {
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
            let file = try RegularFile(descriptor: try place.trust.open("\(folder)/\(name)", flags: flags))
            guard let inside = resolved(folder), let path = file.realPath(), Self.isPath(path, inside: inside)
            else {
                throw ViperError(
                    .fileDenied, operation: Self.operation, subject: name,
                    cause: "a symbolic link leads out of the module's folders",
                    notes: [.init("folder", folder)])
            }
            return try file.read(limit: limit)
        } catch let failure as RegularFile.Failure {
            if failure.isMissing { return nil }
            if let refusal = failure.refusal(Self.operation, name) { throw refusal }
            throw ViperError(
                .fileUnreadable, operation: Self.operation, subject: name, cause: failure.cause,
                notes: [.init("folder", folder)])
        } catch let error as ViperError {
            throw error
        } catch {
            throw ViperError(.fileUnreadable, operation: Self.operation, subject: name, cause: "\(error)")
        }
    }
}

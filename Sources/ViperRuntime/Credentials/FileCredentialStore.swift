import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

/// A credential store that uses the file `credentials.json` in a module's state folder. Only the owner can read the
/// file.
///
/// The store refuses a file that other users can access. A damaged file is an error with the code `json-invalid`.
/// Errors never quote the file's content, because any part of a damaged file may be the secret.
package struct FileCredentialStore: CredentialStore {
    /// The maximum size of the file in bytes. This is far more than a token needs.
    static let limit = 1 << 16

    private static let name = "credentials.json"

    private let folder: StoreFolder
    private var path: String { folder.path(Self.name) }

    package init(folder: StateFolder) { self.folder = StoreFolder(path: folder.path) }

    package func credential() async throws(ViperError) -> Credential? {
        // Reading needs no lock, because the file is replaced atomically.
        guard let bytes = try await BlockingWork.run({ () throws(ViperError) in try read() }) else { return nil }
        // The decoding error is omitted because it could quote the secret.
        guard let content = try? FoundationJSONCoder().decode(Content.self, from: bytes, named: path) else {
            throw refusal("it is damaged", .jsonInvalid)
        }
        return Credential(user: content.user, secret: content.secret)
    }

    package func save(_ credential: Credential) async throws(ViperError) {
        let bytes = try FoundationJSONCoder().encode(Content(user: credential.user, secret: credential.secret))
        guard bytes.count <= Self.limit else {
            throw ViperError(
                .storeFailed, operation: "cannot write file", subject: path,
                cause: "it would have \(bytes.count) bytes, more than the limit of \(Self.limit)")
        }
        try await folder.locked(for: .writing) { () throws(ViperError) in try folder.replace([Self.name: bytes]) }
    }

    package func remove() async throws(ViperError) {
        try await folder.locked(for: .writing) { () throws(ViperError) in
            // If a process was killed while it was writing, its `.new` file also contains the secret.
            for path in [path + ".new", path] where unlink(path) != 0 && errno != ENOENT {
                throw storeFailure("cannot remove file", path)
            }
            try syncFolder(folder.path)
        }
    }

    /// Returns the file's content, or nil if the file is missing.
    private func read() throws(ViperError) -> [UInt8]? {
        do throws(RegularFile.Failure) {
            let file = try RegularFile(path: path, followsLink: false)
            guard file.owner == geteuid() else { throw RegularFile.Failure("it belongs to another user") }
            guard file.permissions & 0o077 == 0 else {
                let mode = String(file.permissions, radix: 8)
                throw RegularFile.Failure("other users can access it (mode \(mode))")
            }
            return [UInt8](try file.read(limit: Self.limit))
        } catch {
            if error.isMissing { return nil }
            throw refusal(error.cause)
        }
    }

    private func refusal(_ cause: String, _ code: ViperError.Code = .storeFailed) -> ViperError {
        ViperError(
            code, operation: "cannot read file", subject: path, cause: cause,
            fix: "remove the file, then log in again")
    }

    private struct Content: Codable {
        var user: String
        var secret: String
    }
}

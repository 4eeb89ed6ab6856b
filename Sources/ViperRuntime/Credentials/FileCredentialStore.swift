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
        guard let content = try await BlockingWork.run({ () throws(ViperError) in try read() }) else { return nil }
        guard let credential = content.credential else { throw refusal("it is damaged", .jsonInvalid) }
        return credential
    }

    package func save(_ credential: Credential) async throws(ViperError) {
        let bytes = try encoded(credential)
        try await folder.locked(for: .writing) { () throws(ViperError) in try folder.replace([Self.name: bytes]) }
    }

    package func remove() async throws(ViperError) {
        try await folder.locked(for: .writing) { () throws(ViperError) in try unlinkFiles() }
    }

    package func replace(_ old: Credential?, with new: Credential?) async throws(ViperError) -> Bool {
        var bytes: [UInt8]?
        if let new { bytes = try encoded(new) }
        return try await folder.locked(for: .writing) { [bytes] () throws(ViperError) in
            let stored = try read()?.credential
            // Swift's `==` takes two Unicode forms of a text for the same, and they are different secrets.
            guard stored?.bytes == old?.bytes else { return false }
            if let bytes { try folder.replace([Self.name: bytes]) } else { try unlinkFiles() }
            return true
        }
    }

    private func encoded(_ credential: Credential) throws(ViperError) -> [UInt8] {
        let bytes = try FoundationJSONCoder().encode(Content(user: credential.user, secret: credential.secret))
        guard bytes.count <= Self.limit else {
            throw ViperError(
                .storeFailed, operation: "cannot write file", subject: path,
                cause: "it would have \(bytes.count) bytes, more than the limit of \(Self.limit)")
        }
        return bytes
    }

    /// Removes the file. Call this only while the folder is locked for writing.
    private func unlinkFiles() throws(ViperError) {
        // If a process was killed while it was writing, its `.new` file also contains the secret.
        for path in [path + ".new", path] where unlink(path) != 0 && errno != ENOENT {
            throw storeFailure("cannot remove file", path)
        }
        try syncFolder(folder.path)
    }

    /// A file that was read. Its credential is nil if the file is damaged.
    private struct Reading {
        var credential: Credential?
    }

    /// Reads the file. Returns nil if it is missing.
    private func read() throws(ViperError) -> Reading? {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) {
            let file = try RegularFile(path: path, followsLink: false)
            guard file.owner == geteuid() else { throw RegularFile.Failure("it belongs to another user") }
            guard file.permissions & 0o077 == 0 else {
                let mode = String(file.permissions, radix: 8)
                throw RegularFile.Failure("other users can access it (mode \(mode))")
            }
            bytes = [UInt8](try file.read(limit: Self.limit))
        } catch {
            if error.isMissing { return nil }
            throw refusal(error.cause)
        }
        // The decoding error is omitted because it could quote the secret.
        let content = try? FoundationJSONCoder().decode(Content.self, from: bytes, named: path)
        return Reading(credential: content.map { Credential(user: $0.user, secret: $0.secret) })
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

extension Credential {
    /// The bytes by which two credentials are compared.
    fileprivate var bytes: [[UInt8]] { [Array(user.utf8), Array(secret.utf8)] }
}

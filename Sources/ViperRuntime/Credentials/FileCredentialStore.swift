import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

/// Keeps a module's credential in the file `credentials.json` of its state folder, which nobody but its owner may read.
///
/// A file that others might have read or written is refused rather than believed. What is in the file gets into no error: of
/// one that is damaged, any part may be the secret.
package struct FileCredentialStore: CredentialStore {
    /// In bytes. Far more than a token has, and little to read.
    static let limit = 1 << 16

    private static let name = "credentials.json"

    private let folder: StoreFolder
    private var path: String { folder.path(Self.name) }

    /// A store in a module's state folder.
    package init(folder: StateFolder) { self.folder = StoreFolder(path: folder.path) }

    package func credential() async throws(ViperError) -> Credential? {
        // No lock: the file is replaced as a whole, so it is the old one or the new one.
        guard let bytes = try await BlockingWork.run({ () throws(ViperError) in try read() }) else { return nil }
        // The reason is left out: it could quote what is in the file.
        guard let content = try? FoundationJSONCoder().decode(Content.self, from: bytes, named: path) else {
            throw refusal("it is damaged")
        }
        return Credential(user: content.user, secret: content.secret)
    }

    package func keep(_ credential: Credential) async throws(ViperError) {
        let bytes = try FoundationJSONCoder().encode(Content(user: credential.user, secret: credential.secret))
        guard bytes.count <= Self.limit else {
            throw ViperError(
                .storeFailed, "cannot write", path,
                cause: "it would have \(bytes.count) bytes, more than the limit of \(Self.limit)")
        }
        try await folder.locked(for: .writing) { () throws(ViperError) in try folder.replace([Self.name: bytes]) }
    }

    package func remove() async throws(ViperError) {
        try await folder.locked(for: .writing) { () throws(ViperError) in
            // Also what a process has left that was killed while it wrote: it has a secret in it as well.
            for path in [path + ".new", path] where unlink(path) != 0 && errno != ENOENT {
                throw storeFailure("cannot remove", path)
            }
            try syncFolder(folder.path)
        }
    }

    /// The file's content, nil when there is none.
    private func read() throws(ViperError) -> [UInt8]? {
        do throws(RegularFile.Failure) {
            let file = try RegularFile(path: path, followsLink: false)
            guard file.owner == geteuid() else { throw RegularFile.Failure("it belongs to another user") }
            guard file.permissions & 0o077 == 0 else {
                let mode = String(file.permissions, radix: 8)
                throw RegularFile.Failure("others than its owner may use it (mode \(mode))")
            }
            return [UInt8](try file.read(limit: Self.limit))
        } catch {
            if error.isMissing { return nil }
            throw refusal(error.cause)
        }
    }

    private func refusal(_ cause: String) -> ViperError {
        ViperError(.storeFailed, "cannot read", path, cause: cause, mend: "remove it, and log in again")
    }

    /// The file as it is written.
    private struct Content: Codable {
        var user: String
        var secret: String
    }
}

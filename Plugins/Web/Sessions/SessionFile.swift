import Glibc
import ViperKit

/// The file that stores the sessions for the next version of this module. Only the user who runs the host can read it.
struct SessionFile: Sendable {
    let folder: String
    let json: any JSONCoder

    private var path: String { folder + "/sessions.json" }
    private static let limit = 16 << 20

    /// Returns the saved sessions. Returns an empty array if the file is missing.
    ///
    /// - Throws: `file-unreadable` or the errors of JSON. All browsers are then forgotten.
    func load() throws(ViperError) -> [SavedSession] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT { return [] }
        guard descriptor >= 0 else { throw failure("cannot read file", .fileUnreadable) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= Self.limit {
            let count = read(descriptor, &part, part.count)
            if count < 0 { throw failure("cannot read file", .fileUnreadable) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        return try json.decode([SavedSession].self, from: bytes, named: path)
    }

    /// Removes the file.
    func remove() { unlink(path) }

    /// Saves sessions.
    func save(_ sessions: [SavedSession]) throws(ViperError) {
        let bytes = try json.encode(sessions)
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot write file", .storeFailed) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure("cannot write file", .storeFailed) }
            rest = rest.dropFirst(count)
        }
        guard rename(new, path) == 0 else { throw failure("cannot write file", .storeFailed) }
    }

    private func failure(_ operation: String, _ code: ViperError.Code) -> ViperError {
        ViperError(code, operation: operation, subject: path, cause: String(cString: strerror(errno)))
    }
}

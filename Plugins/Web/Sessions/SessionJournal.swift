import Glibc
import ViperKit

/// The file that keeps the sessions of browsers when this module is replaced, and when the host ends or is killed. Only the
/// user who runs the host can read it.
///
/// Each line is a change. Several versions of this module, and several hosts, may share the file. They add lines, and replace
/// the file, only while they hold a lock, so that no change is lost.
struct SessionJournal: Sendable {
    /// A change of the sessions. One of its properties has a value.
    struct Change: Codable, Sendable {
        /// A session that has begun.
        var begin: SavedSession?
        /// The cookie of a session that has ended.
        var end: String?
        /// The address of a server all of whose sessions have ended.
        var endAll: String?

        /// Returns true if the change ends a session.
        func ends(_ session: SavedSession) -> Bool {
            if let end { return end == session.cookie }
            return endAll.map { session.server == nil || session.server == $0 } ?? false
        }
    }

    let folder: String
    let json: any JSONCoder

    private var path: String { folder + "/sessions.jsonl" }
    /// The file of an earlier version of this module, a JSON array.
    private var earlierPath: String { folder + "/sessions.json" }
    /// The maximum size of the file in bytes.
    var limit = 64 << 20

    /// Adds changes.
    ///
    /// - Returns: The size of the added lines.
    func append(_ changes: [Change]) throws(ViperError) -> Int {
        // A line that was cut off by a crash must not swallow the next one.
        var bytes: [UInt8] = [10]
        for change in changes { bytes += try json.encode(change) + [10] }
        try locked { () throws(ViperError) in
            let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
            // A power failure must not log a browser in again.
            try write(bytes, to: path, flags, isSafe: changes.contains { $0.begin == nil })
        }
        return bytes.count
    }

    /// Reads the sessions, changes them, and writes them to a new file.
    ///
    /// - Parameter change: A closure that returns the sessions to keep. Its parameter is the sessions that have begun and not
    ///   ended, in the order in which they began.
    /// - Returns: The sessions that were kept, and the number of damaged lines, which were left out.
    @discardableResult
    func rewrite(
        _ change: ([SavedSession]) -> [SavedSession]
    ) throws(ViperError) -> (sessions: [SavedSession], damaged: Int) {
        try locked { () throws(ViperError) in
            let (stored, damaged) = try read()
            let kept = change(stored)
            var bytes: [UInt8] = []
            for session in kept { bytes += try json.encode(Change(begin: session)) + [10] }
            let new = path + ".new"
            unlink(new)
            try write(bytes, to: new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isSafe: true)
            guard rename(new, path) == 0 else { throw failure("cannot write file", .storeFailed, path) }
            unlink(earlierPath)
            try keepNames()
            return (kept, damaged)
        }
    }

    /// Makes the names of the files survive a failure of the power.
    private func keepNames() throws(ViperError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot write folder", .storeFailed, folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot write folder", .storeFailed, folder) }
    }

    private func read() throws(ViperError) -> ([SavedSession], damaged: Int) {
        var (sessions, damaged): ([SavedSession], Int) = ([], 0)
        if let bytes = try content(of: earlierPath) {
            do throws(ViperError) {
                sessions = try json.decode([SavedSession].self, from: bytes, named: earlierPath)
            } catch { damaged += 1 }
        }
        var places = Dictionary(sessions.enumerated().map { ($1.cookie, $0) }) { $1 }
        var kept = sessions.map(Optional.some)
        for line in try content(of: path)?.split(separator: 10) ?? [] {
            let change: Change
            do throws(ViperError) { change = try json.decode(Change.self, from: Array(line), named: path) } catch {
                damaged += 1
                continue
            }
            if let session = change.begin {
                if let place = places.updateValue(kept.count, forKey: session.cookie) { kept[place] = nil }
                kept.append(session)
            } else if let cookie = change.end {
                if let place = places.removeValue(forKey: cookie) { kept[place] = nil }
            } else {
                for (place, session) in kept.enumerated() {
                    guard let session, change.ends(session) else { continue }
                    kept[place] = nil
                    places[session.cookie] = nil
                }
            }
        }
        return (kept.compactMap(\.self), damaged)
    }

    /// Returns the content of a file. Nil if it is missing. A part of it would bring back sessions that have ended.
    private func content(of path: String) throws(ViperError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("cannot read file", .fileUnreadable, path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure("cannot read file", .fileUnreadable, path) }
            if count == 0 { break }
            bytes += part[..<count]
            guard bytes.count <= limit else {
                throw ViperError(
                    .fileUnreadable, operation: "cannot read file", subject: path,
                    cause: "it has more than \(limit) bytes",
                    fix: "remove the file; all browsers then begin again")
            }
        }
        return bytes
    }

    /// - Parameter isSafe: True if the bytes must survive a failure of the power.
    private func write(_ bytes: [UInt8], to path: String, _ flags: Int32, isSafe: Bool) throws(ViperError) {
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw failure("cannot write file", .storeFailed, path) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot write file", .storeFailed, path) }
            rest = rest.dropFirst(count)
        }
        guard !isSafe || fdatasync(descriptor) == 0 else { throw failure("cannot write file", .storeFailed, path) }
    }

    /// Runs a closure while no other process and no other version of this module changes the file. Blocks the thread.
    private func locked<Value>(_ body: () throws(ViperError) -> Value) throws(ViperError) -> Value {
        let path = folder + "/sessions.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot lock file", .storeFailed, path) }
        // Closing the descriptor unlocks the file.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw failure("cannot lock file", .storeFailed, path) }
        }
        return try body()
    }

    private func failure(_ operation: String, _ code: ViperError.Code, _ path: String) -> ViperError {
        ViperError(code, operation: operation, subject: path, cause: String(cString: strerror(errno)))
    }
}

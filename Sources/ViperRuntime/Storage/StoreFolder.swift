import FoundationEssentials
import Glibc
import ViperKit

/// A folder of files that are replaced as a whole, several at once if need be, by processes that do not know each other.
///
/// A file is never written in place. Its new content is written beside it, as `NAME.new`, and brought to the disk; then
/// one `rename` replaces the old one. Several files are replaced in two phases: when all of their `.new` are on the disk, a
/// journal with their names is renamed into place. That is the moment at which the change is made. What is left, renaming
/// each `.new`, can be done by anyone and any number of times: by this call, or, when its process was killed, by the next
/// that locks the folder. A `.new` without a journal belongs to a change that was never made; the next one overwrites it.
struct StoreFolder: Sendable {
    enum Access {
        case reading, writing
    }

    let path: String
    /// How long to wait for others who use the folder.
    var patience = Duration.seconds(30)

    // Hidden, with dots: names that no collection's file has.
    private static let lockName = ".lock"
    private static let journalName = ".journal"

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Runs a body while no other task or process writes. Changes that a killed process has left unfinished are finished
    /// before. For writing, the folder is made when there is none, and nobody else reads meanwhile.
    func locked<Value>(
        for access: Access, _ body: () throws(ViperError) -> Value
    ) throws(ViperError) -> Value {
        if access == .writing { try makeFolder(path) }
        guard let lock = try FileLock(path(Self.lockName), access, patience: patience) else {
            // Nobody has written here yet.
            return try body()
        }
        // A reader that finds an unfinished change takes the lock again as a writer, which finishes it.
        if access == .reading, try journal() != nil {
            lock.release()
            return try locked(for: .writing, body)
        }
        if access == .writing { try finishChange() }
        let value = try body()
        lock.release()
        return value
    }

    /// The content of a file, nil when there is none.
    func read(_ name: String, limit: Int) throws(ViperError) -> Data? {
        do {
            return try RegularFile(path: path(name)).read(limit: limit)
        } catch  where error.errno == ENOENT {
            return nil
        } catch {
            throw ViperError(.storeFailed, "cannot read", path(name), cause: error.cause)
        }
    }

    /// Replaces files, all of them or none. Only inside ``locked(for:_:)`` for writing.
    ///
    /// When this returns the change is on the disk. When it throws nothing was changed; only a disk that fails while it
    /// is told to keep what is already written can leave the new state behind an error.
    func replace(_ files: [String: [UInt8]]) throws(ViperError) {
        let names = files.keys.sorted()
        do throws(ViperError) {
            for name in names { try writeSynced(files[name] ?? [], to: path(name + ".new")) }
            if let name = names.first, names.count == 1 {
                try rename(name + ".new", name)
                return try syncFolder(path)
            }
            try writeSynced(Array(names.joined(separator: "\n").utf8), to: path(Self.journalName + ".new"))
            try rename(Self.journalName + ".new", Self.journalName)
            do {
                try syncFolder(path)
            } catch {
                unlink(path(Self.journalName))
                throw error
            }
        } catch {
            for name in names + [Self.journalName] { unlink(path(name + ".new")) }
            throw error
        }
        // The change is made, so this call must not fail any more. Should the rest fail now, whoever comes next tries it
        // again, and is told when it still fails.
        try? finishChange()
    }

    /// Does what is left of a change whose journal is there.
    private func finishChange() throws(ViperError) {
        guard let names = try journal() else { return }
        // One that is missing was renamed before.
        for name in names where access(path(name + ".new"), F_OK) == 0 { try rename(name + ".new", name) }
        try syncFolder(path)
        unlink(path(Self.journalName))
        // Came the journal back after a power cut, it would take a later `.new` for its own.
        try syncFolder(path)
    }

    /// The names of the files whose replacement is unfinished.
    private func journal() throws(ViperError) -> [String]? {
        let data = try read(Self.journalName, limit: CollectionFile.limit)
        return data.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    private func rename(_ old: String, _ new: String) throws(ViperError) {
        if Glibc.rename(path(old), path(new)) != 0 { throw storeFailure("cannot replace", path(new)) }
    }
}

package import FoundationEssentials
import Glibc
package import ViperKit

/// A folder of files that are replaced as a whole, several at once if need be, by processes that do not know each other.
///
/// A file is never written in place. Its new content is written beside it, as `NAME.new`, and brought to the disk; then
/// one `rename` replaces the old one. Several files are replaced in two phases: when all of their `.new` are on the disk, a
/// journal with their names is renamed into place. That is the moment at which the change is made. What is left, renaming
/// each `.new`, can be done by anyone and any number of times: by this call, or, when its process was killed, by the next
/// that locks the folder. A `.new` without a journal belongs to a change that was never made; the next one overwrites it.
package struct StoreFolder: Sendable {
    package enum Access {
        case reading, writing
    }

    package let path: String
    /// Who may change what is in it. Nil if that was checked.
    package var trust: Trust?
    /// How long to wait for other processes that use the folder. Far longer than any change takes: a process that holds the lock
    /// longer has stopped, or hangs.
    var patience: Duration
    private let turns = Turns()

    // Hidden, with dots: names that no collection's file has.
    private static let lockName = ".lock"
    private static let journalName = ".journal"
    /// In bytes: far above any list of names.
    private static let longestJournal = 1 << 30

    package init(path: String, trust: Trust? = nil, patience: Duration = .seconds(30)) {
        (self.path, self.trust, self.patience) = (path, trust, patience)
    }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Runs a body while no other task or process writes. Changes that a killed process has left unfinished are finished
    /// before. For writing, the folder is created if it is missing, and nobody else reads meanwhile.
    ///
    /// Waiting for the lock holds no thread. The body runs on a thread of ``BlockingWork``.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed``, also if another process holds the lock for more than ``patience``, or the
    ///   task is cancelled while it waits.
    package func locked<Value: Sendable>(
        for access: Access, _ body: @escaping @Sendable () throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        // Of all tasks that use this value, one at a time asks the system for the lock.
        let end = ContinuousClock.now + patience
        let turn = turns.next()
        defer { turn.end() }
        await turn.wait()
        var pause = Duration.milliseconds(1)
        while true {
            let value = try await BlockingWork.run { () throws(ViperError) in try attempt(access, body) }
            if let value { return value }
            var failure = storeFailure("cannot lock", path(Self.lockName), errno: EWOULDBLOCK)
            if ContinuousClock.now >= end {
                failure.cause = "another process holds it for more than \(patience)"
                failure.mend = "end that process; fuser \(path(Self.lockName)) names it"
                throw failure
            }
            // A random part of the pause, so that two processes do not meet again and again.
            guard (try? await Task.sleep(for: pause * Double.random(in: 0.5...1))) != nil else {
                failure.cause = "another process holds it, and the call was cancelled"
                throw failure
            }
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Runs a body if the lock is free.
    ///
    /// - Returns: Nil if another task or process holds the lock.
    private func attempt<Value>(
        _ access: Access, _ body: () throws(ViperError) -> Value
    ) throws(ViperError) -> Value? {
        if access == .writing { try makeFolder(path) }
        try checkTrust()
        switch try FileLock.attempt(path(Self.lockName), access) {
        // Nobody has written here yet.
        case .missing: return try body()
        case .inUse: return nil
        case .held(let lock):
            // A reader that finds an unfinished change takes the lock again as a writer, which finishes it.
            if access == .reading, try journal() != nil {
                lock.release()
                return try attempt(.writing, body)
            }
            if access == .writing { try finishChange() }
            let value = try body()
            lock.release()
            return value
        }
    }

    /// The content of a file, nil when there is none.
    package func read(_ name: String, limit: Int) throws(ViperError) -> Data? {
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
    package func replace(_ files: [String: [UInt8]]) throws(ViperError) {
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
        guard let data = try read(Self.journalName, limit: Self.longestJournal) else { return nil }
        let names = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        if let name = names.first(where: { $0.utf8.contains(UInt8(ascii: "/")) }) {
            throw ViperError(
                .storeFailed, "cannot finish a change in", path,
                cause: "its journal names \"\(name)\", which is no file here",
                mend: "remove \(path(Self.journalName))")
        }
        return names
    }

    /// Checks, each time it is used, that nobody else has made the folder or can change it.
    private func checkTrust() throws(ViperError) {
        guard let trust else { return }
        do { _ = try OpenFolder(path, trust) } catch {
            if error.isMissing { return }
            throw error.refusal("cannot keep anything in", path)
                ?? storeFailure("cannot open", path, errno: error.errno)
        }
    }

    private func rename(_ old: String, _ new: String) throws(ViperError) {
        if Glibc.rename(path(old), path(new)) != 0 { throw storeFailure("cannot replace", path(new)) }
    }
}

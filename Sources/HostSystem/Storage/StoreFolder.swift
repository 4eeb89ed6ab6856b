package import FoundationEssentials
import Glibc
package import ViperKit

/// A folder whose files are replaced atomically, either individually or several at once. Several processes can use the
/// folder at the same time.
///
/// Files are never modified in place. New content is written to `NAME.new`, synced, and then renamed to `NAME`. Several
/// files are replaced in two phases. When all `.new` files are synced, a journal with their names is renamed into
/// place, which commits the change. Then each `.new` file is renamed. If the process is killed after the commit, the
/// next process that locks the folder completes the change. A `.new` file without a journal belongs to a change that
/// was never committed, and the next change overwrites it.
package struct StoreFolder: Sendable {
    package enum Access {
        case reading, writing
    }

    package let path: String
    /// The rules on who may change the folder. Nil if the caller has already checked the folder.
    var trust: Trust?
    /// The maximum time to wait for the lock. Any change takes much less time, so a process that holds the lock longer
    /// is suspended or hangs.
    var timeout: Duration
    private let turns = Turns()

    // Collection names cannot begin with a dot, so they cannot conflict with these names.
    private static let lockName = ".lock"
    private static let journalName = ".journal"
    /// The maximum size of a file in bytes, which is 1 GiB. The store is designed for smaller files, and a file of this
    /// size can still be read in one piece.
    package static let longestFile = 1 << 30

    package init(path: String, trust: Trust? = nil, timeout: Duration = .seconds(30)) {
        (self.path, self.trust, self.timeout) = (path, trust, timeout)
    }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Locks the folder, runs a closure, and returns its result.
    ///
    /// Readers can use the folder at the same time. A writer excludes readers and other writers, and creates the folder
    /// if it is missing. If a change was interrupted, this method completes it before it runs the closure.
    ///
    /// Waiting for the lock does not block a thread. The closure runs on a thread of ``BlockingWork``.
    ///
    /// - Throws: The error that the closure throws, or ``ViperKit/ViperError/Code/storeFailed`` if the folder cannot be
    ///   locked. Locking also fails if the lock is not free within ``timeout``, or if the task is cancelled while it is
    ///   waiting for the lock. ``ViperKit/ViperError/Code/pathUntrusted`` if the folder violates the rules of
    ///   ``trust``.
    package func locked<Value: Sendable>(
        for access: Access, _ body: @escaping @Sendable () throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
        // The tasks that share this value try to lock the folder one at a time.
        let end = ContinuousClock.now + timeout
        let turn = turns.next()
        defer { turn.end() }
        await turn.wait()
        var pause = Duration.milliseconds(1)
        while true {
            let value = try await BlockingWork.run { () throws(ViperError) in try attempt(access, body) }
            if let value { return value }
            var failure = storeFailure("cannot lock file", path(Self.lockName), errno: EWOULDBLOCK)
            if ContinuousClock.now >= end {
                failure.cause = "another process has held the lock for more than \(timeout.inSeconds)"
                failure.fix = "stop that process; fuser \(path(Self.lockName)) shows its ID"
                throw failure
            }
            // The pause is partly random, so that two processes do not keep retrying in lockstep.
            guard (try? await Task.sleep(for: pause * Double.random(in: 0.5...1))) != nil else {
                failure.cause = "the call was cancelled while another process held the lock"
                throw failure
            }
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Runs a closure if the lock is free.
    ///
    /// - Returns: The closure's result, or nil if another task or process holds the lock.
    private func attempt<Value>(
        _ access: Access, _ body: () throws(ViperError) -> Value
    ) throws(ViperError) -> Value? {
        if access == .writing { try makeFolder(path) }
        try checkTrust()
        switch try FileLock.attempt(path(Self.lockName), access) {
        // Nothing has been written yet, so no lock is necessary.
        case .missing: return try body()
        case .inUse: return nil
        case .held(let lock):
            // To complete an interrupted change, a reader locks the folder as a writer.
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

    /// Returns a file's content, or nil if the file does not exist.
    package func read(_ name: String, limit: Int) throws(ViperError) -> Data? {
        do {
            return try RegularFile(path: path(name)).read(limit: limit)
        } catch  where error.errno == ENOENT {
            return nil
        } catch {
            throw ViperError(.storeFailed, operation: "cannot read file", subject: path(name), cause: error.cause)
        }
    }

    /// Replaces either all of the given files or none of them. Call this only inside ``locked(for:_:)`` for writing.
    ///
    /// When this method returns, the change is synced to disk. If it throws, no file has changed, unless the disk
    /// failed during a sync.
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
        // The change is committed, so this method must not throw. If finishing the change fails, the next call that
        // locks the folder tries again and throws the error.
        try? finishChange()
    }

    /// Completes the interrupted change that the journal describes, if there is a journal.
    private func finishChange() throws(ViperError) {
        guard let names = try journal() else { return }
        // If a `.new` file is missing, it was already renamed.
        for name in names where access(path(name + ".new"), F_OK) == 0 { try rename(name + ".new", name) }
        try syncFolder(path)
        unlink(path(Self.journalName))
        // Sync again. Otherwise, the journal could reappear after a power failure and apply to later `.new` files.
        try syncFolder(path)
    }

    /// Returns the names of the files in the journal, or nil if no change was interrupted.
    private func journal() throws(ViperError) -> [String]? {
        guard let data = try read(Self.journalName, limit: Self.longestFile) else { return nil }
        let names = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        if let name = names.first(where: { $0.utf8.contains(UInt8(ascii: "/")) }) {
            throw ViperError(
                .storeFailed, operation: "cannot complete a change in", subject: path,
                cause: "its journal names \"\(name)\", which is not a file in this folder",
                fix: "remove \(path(Self.journalName))")
        }
        return names
    }

    /// Throws if an untrusted user owns the folder or can change it. The host checks this before each use.
    private func checkTrust() throws(ViperError) {
        guard let trust else { return }
        do { _ = try OpenFolder(path, trust) } catch {
            if error.isMissing { return }
            if let refusal = error.refusal("cannot use folder", path) { throw refusal }
            var failure = storeFailure("cannot open folder", path, errno: error.errno)
            if error.errno == EACCES {
                failure.fix = "run the command as the folder's owner, or give it to this user with chown"
            }
            throw failure
        }
    }

    private func rename(_ old: String, _ new: String) throws(ViperError) {
        if Glibc.rename(path(old), path(new)) != 0 { throw storeFailure("cannot replace file", path(new)) }
    }
}

import Synchronization
import ViperKit

/// Stores the changes of the sessions while a server runs. The thread of the module's work writes them, because it may
/// block.
final class SessionStore: Sendable {
    /// A change that is being stored.
    struct Storing: Sendable {
        fileprivate let results: AsyncStream<ViperError?>

        /// Waits until the change is stored.
        ///
        /// - Throws: `store-failed` if the change cannot be stored, or `server-failed` if the server ends.
        func result() async throws(ViperError) {
            for await error in results {
                if let error { throw error }
                return
            }
            throw SessionStore.ending
        }
    }

    private struct Pending {
        var change: SessionJournal.Change
        /// Gets the result. Nil if nobody waits.
        var waiter: AsyncStream<ViperError?>.Continuation?
    }

    private struct State {
        /// Logouts that could not be written. They come before every other change.
        var failed: [SessionJournal.Change] = []
        var pending: [Pending] = []
        var isClosed = false
        /// True if changes were added while nobody waited for them.
        var isDue = false
        /// Waits for changes, or for the end.
        var writer: CheckedContinuation<Bool, Never>?

        /// Returns what waits for changes, and forgets it.
        mutating func takeWaiting() -> CheckedContinuation<Bool, Never>? {
            defer { writer = nil }
            if writer == nil { isDue = true }
            return writer
        }
    }

    let journal: SessionJournal
    /// The address at which the server listens.
    let server: String
    private let logger: any Logger
    private let state = Mutex(State())
    /// The size of the lines that were added since the file was last rewritten.
    private let grown = Mutex(0)

    /// The size of added lines after which the file is rewritten.
    private static let limit = 1 << 20

    init(journal: SessionJournal, server: String, logger: any Logger) {
        (self.journal, self.server, self.logger) = (journal, server, logger)
    }

    fileprivate static var ending: ViperError {
        ViperError(.serverFailed, operation: "cannot change session", subject: "web", cause: "the server ends")
    }

    /// Begins to store a change, after those for which this method was called before.
    func store(_ change: SessionJournal.Change) -> Storing {
        let (results, waiter) = AsyncStream.makeStream(of: ViperError?.self)
        if !add(Pending(change: change, waiter: waiter)) { waiter.finish() }
        return Storing(results: results)
    }

    /// Stores a change soon.
    func note(_ change: SessionJournal.Change) { _ = add(Pending(change: change)) }

    private func add(_ pending: Pending) -> Bool {
        let (isAdded, writer) = state.withLock { state in
            if state.isClosed { return (false, nil as CheckedContinuation<Bool, Never>?) }
            state.pending.append(pending)
            return (true, state.takeWaiting())
        }
        writer?.resume(returning: true)
        return isAdded
    }

    /// Writes changes until the store is closed, also after the task was cancelled: requests are still being answered then.
    func run() async {
        while await isDue() { write() }
        write()
    }

    /// Makes ``run()`` write what waits, and return. Changes that come later are refused.
    func close() {
        let writer = state.withLock { state in
            state.isClosed = true
            return state.takeWaiting()
        }
        writer?.resume(returning: false)
    }

    /// Waits for changes.
    ///
    /// - Returns: False if the store is closed.
    private func isDue() async -> Bool {
        await withCheckedContinuation { writer in
            let isDue = state.withLock { state -> Bool? in
                if state.isClosed { return false }
                if !state.isDue { state.writer = writer }
                defer { state.isDue = false }
                return state.isDue ? true : nil
            }
            if let isDue { writer.resume(returning: isDue) }
        }
    }

    private func write() {
        let (failed, pending) = state.withLock { state in
            defer { (state.failed, state.pending) = ([], []) }
            return (state.failed, state.pending)
        }
        if failed.isEmpty, pending.isEmpty { return }
        var failure: ViperError?
        do throws(ViperError) {
            let size = try journal.append(failed + pending.map(\.change))
            grown.withLock { $0 += size }
        } catch {
            failure = error
            // A full disk must not log a browser in again. Only people log out, so these are few.
            let logouts = failed + pending.filter { $0.waiter != nil && $0.change.begin == nil }.map(\.change)
            state.withLock { $0.failed = logouts }
            logger.log(.warning, error.summary)
        }
        for one in pending {
            one.waiter?.yield(failure)
            one.waiter?.finish()
        }
        if grown.withLock(\.self) > Self.limit { shorten() }
    }

    private func shorten() {
        grown.withLock { $0 = 0 }
        do throws(ViperError) { try rewrite { stored in stored.filter { !$0.isForgotten } } } catch {
            logger.log(.warning, error.summary)
        }
    }

    /// Rewrites the file, and logs damaged lines.
    @discardableResult
    private func rewrite(_ change: ([SavedSession]) -> [SavedSession]) throws(ViperError) -> [SavedSession] {
        let (sessions, damaged) = try journal.rewrite(change)
        if damaged > 0 { logger.log(.warning, "left out \(damaged) damaged stored session\(damaged == 1 ? "" : "s")") }
        return sessions
    }

    /// Returns the stored sessions of this server, and forgets those that were not seen for a long time.
    func load() throws(ViperError) -> [SavedSession] {
        let stored = try rewrite { stored in stored.filter { !$0.isForgotten } }
        return stored.filter { $0.server == nil || $0.server == server }
    }

    /// Stores the current state of sessions. Another process or version of this module may have ended some of them: those do
    /// not begin again. Those whose logout could not be written before end now.
    ///
    /// - Parameter hasWindows: True if the next version of this module is to continue the windows.
    func save(_ sessions: [Session], hasWindows: Bool) throws(ViperError) {
        let own = Dictionary(sessions.map { ($0.cookie, $0.saved(server, hasWindows: hasWindows)) }) { $1 }
        let failed = state.withLock(\.failed)
        try rewrite { [server] stored in
            stored.compactMap { one in
                if failed.contains(where: { $0.ends(one) }) { return nil }
                if let own = own[one.cookie] { return own }
                var one = one
                if one.server == server { one.windows = [] }
                return one.isForgotten ? nil : one
            }
        }
    }
}

import Synchronization
import ViperKit

/// Stores the changes of the sessions while a server runs. The thread of the module's work writes them, because it may
/// block.
final class SessionStore: Sendable {
    private struct Pending {
        var change: SessionJournal.Change
        /// Waits until the change is stored. Nil if nobody waits.
        var waiter: CheckedContinuation<ViperError?, Never>?
    }

    private struct State {
        var pending: [Pending] = []
        var isClosed = false
    }

    let journal: SessionJournal
    /// The address at which the server listens.
    let server: String
    private let logger: any Logger
    private let state = Mutex(State())
    /// The size of the lines that were added since the file was written anew.
    private let grown = Mutex(0)
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// The size of added lines after which the file is written anew.
    private static let limit = 1 << 20

    init(journal: SessionJournal, server: String, logger: any Logger) {
        (self.journal, self.server, self.logger) = (journal, server, logger)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Stores a change. It is stored when this method returns.
    ///
    /// - Throws: `store-failed` if the change cannot be stored, or `server-failed` if the server ends.
    func store(_ change: SessionJournal.Change) async throws(ViperError) {
        let error = await withCheckedContinuation { waiter in
            if !add(Pending(change: change, waiter: waiter)) {
                waiter.resume(
                    returning: ViperError(
                        .serverFailed, operation: "cannot change session", subject: server, cause: "the server ends"))
            }
        }
        if let error { throw error }
    }

    /// Stores a change soon.
    func note(_ change: SessionJournal.Change) { _ = add(Pending(change: change)) }

    private func add(_ pending: Pending) -> Bool {
        let isAdded = state.withLock { state in
            if !state.isClosed { state.pending.append(pending) }
            return !state.isClosed
        }
        signal.yield()
        return isAdded
    }

    /// Writes changes until the task is cancelled, and then those that wait.
    func run() async {
        for await _ in signals { write() }
        state.withLock { $0.isClosed = true }
        write()
    }

    private func write() {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        if pending.isEmpty { return }
        var failure: ViperError?
        do throws(ViperError) {
            let size = try journal.append(pending.map(\.change))
            if grown.withLock({
                $0 += size; return $0 > Self.limit
            }) {
                try shorten()
            }
        } catch {
            failure = error
            logger.log(.warning, error.summary)
        }
        for one in pending { one.waiter?.resume(returning: failure) }
    }

    private func shorten() throws(ViperError) {
        grown.withLock { $0 = 0 }
        try journal.rewrite { stored in stored.filter { !$0.isForgotten } }
    }

    /// Returns the stored sessions of this server, and forgets those that were not seen for a long time.
    func load() throws(ViperError) -> [SavedSession] {
        let (stored, damaged) = try journal.rewrite { stored in stored.filter { !$0.isForgotten } }
        if damaged > 0 { logger.log(.warning, "left out \(damaged) damaged stored session\(damaged == 1 ? "" : "s")") }
        return stored.filter { $0.server == nil || $0.server == server }
    }

    /// Stores the current state of sessions. Another process or version of this module may have ended some of them: those do
    /// not begin again.
    ///
    /// - Parameter hasWindows: True if the next version of this module is to continue the windows.
    func save(_ sessions: [Session], hasWindows: Bool) throws(ViperError) {
        let own = Dictionary(sessions.map { ($0.cookie, $0.saved(server, hasWindows: hasWindows)) }) { $1 }
        try journal.rewrite { [server] stored in
            stored.compactMap { one in
                if let own = own[one.cookie] { return own }
                var one = one
                if one.server == server { one.windows = [] }
                return one.isForgotten ? nil : one
            }
        }
    }
}

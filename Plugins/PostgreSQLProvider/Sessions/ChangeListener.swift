import Synchronization
import ViperKit

/// A connection that receives the notifications of all providers of the same table, while collections are observed.
final class ChangeListener: Sendable {
    /// The name of the channel in SQL. It contains the table's ID, because schemas of one database share all channels.
    static let channel = "'viper_record_' || 'viper_record'::regclass::oid"

    /// The time after which the listener notices that its last observer has ended.
    private static let slice = Duration.milliseconds(500)

    private struct State {
        var isRunning = false
        var isListening = false
        /// The number of observers for which the listener was asked to listen.
        var asked = 0
        /// The collections that were read while the listener was connecting. They may have changed since.
        var unheard: Set<String> = []
    }

    private let database: Database
    private let state = Mutex(State())

    init(_ database: Database) { self.database = database }

    /// Notes that a collection is about to be read. A change that the read misses is reported.
    func noteRead(of collection: String) {
        state.withLock { if $0.isRunning, !$0.isListening { $0.unheard.insert(collection) } }
    }

    /// Listens until no collection is observed. Call this method after adding an observer.
    func listen(for observers: CollectionObservers) {
        let isRunning = state.withLock { state in
            state.asked += 1
            defer { state.isRunning = true }
            return state.isRunning
        }
        if isRunning { return }
        Task { [weak observers] in
            let line = ListeningLine(self.database)
            while true {
                let asked = self.state.withLock { $0.asked }
                // The listener ends before it closes the line, so that a later observer starts another one.
                if observers?.observedCollections.isEmpty ?? true, self.end(unlessAskedAfter: asked) {
                    return await line.close()
                }
                let changed = self.changed(after: await line.hear(within: Self.slice), observers)
                observers?.notifyObservers(of: changed)
            }
        }
    }

    /// Returns false if an observer was added after `asked` was read. The listener must not miss a change for it.
    private func end(unlessAskedAfter asked: Int) -> Bool {
        state.withLock { state in
            if state.asked != asked { return false }
            state = State(asked: asked)
            return true
        }
    }

    private func changed(after heard: ListeningLine.Heard, _ observers: CollectionObservers?) -> Set<String> {
        switch heard {
        case .changes(let collections): return collections
        case .connection:
            let observed = observers?.observedCollections ?? []
            return state.withLock { state in
                defer { (state.isListening, state.unheard) = (true, []) }
                return state.isListening ? observed : state.unheard
            }
        }
    }
}

/// The listener's connection, which connects again after it was lost.
///
/// The actor runs on a private queue, because it waits for the server.
private actor ListeningLine {
    nonisolated private let executor = QueueExecutor("postgresql-changes")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let database: Database
    private var connection: PostgreSQLConnection?
    /// True if the log already says that there is no connection.
    private var isLost = false

    init(_ database: Database) { self.database = database }

    enum Heard: Sendable {
        /// Other providers have changed these collections. Empty after the time limit.
        case changes(Set<String>)
        /// The line has been connected. Any collection may have changed before.
        case connection
    }

    func close() { connection = nil }

    /// Waits for changes by other providers, or for a connection.
    func hear(within limit: Duration) -> Heard {
        do {
            guard let connection else {
                connection = try connect(within: limit)
                if isLost { database.logger.log(.info, "listening for changes in \(database.string.label) again") }
                isLost = false
                return .connection
            }
            let heard = try connection.notifications(within: limit)
            return .changes(Set(heard.filter { !database.isOwn($0.process) }.map(\.payload)))
        } catch {
            connection = nil
            if !isLost { database.logger.log(.warning, database.failure("observe", error).summary) }
            isLost = true
            // A server that refuses the connection at once must not keep this thread busy.
            PostgreSQLConnection.pause(limit)
            return .changes([])
        }
    }

    private func connect(within limit: Duration) throws(PostgreSQLFailure) -> PostgreSQLConnection {
        let connection = try database.connect(until: .now + limit)
        let name = try connection.run([Statement("SELECT \(ChangeListener.channel)")])[0].first ?? []
        // The name consists of letters, digits and underscores.
        try connection.run([Statement("LISTEN \(String(decoding: name, as: UTF8.self))", isKept: false)])
        return connection
    }
}

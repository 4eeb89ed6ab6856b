import ViperKit

/// A data provider that stores records in a PostgreSQL database, which several hosts can share.
///
/// Observers receive this provider's own changes immediately, and those of other providers as soon as the server announces
/// them. After a lost connection, every observed collection is reported, because the provider may have missed a change.
struct PostgreSQLDataProvider: DataProvider {
    private let store: RecordStore
    private let json: any JSONCoder
    private let listener: ChangeListener
    let observers = CollectionObservers()

    /// Creates a provider for a database. The first use connects to the database, and creates missing tables.
    ///
    /// - Parameters:
    ///   - string: The database.
    ///   - json: The coder for records.
    ///   - logger: The log for lost connections.
    ///   - pool: The maximum number of connections for calls.
    ///   - timeout: The maximum time of a statement, and of retries.
    init(
        _ string: ConnectionString, json: any JSONCoder, logger: any Logger, pool: Int = 4,
        timeout: Duration = .seconds(10)
    ) {
        let database = Database(string, timeout: timeout, logger: logger)
        (store, listener) = (RecordStore(database, pool: pool), ChangeListener(database))
        self.json = json
    }

    /// Connects to the database. If this method is not called, the first use of the provider connects.
    func open(within limit: Duration) async throws(ViperError) { try await store.open(within: limit) }

    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        try EncodedChange.validateCollectionName(collection)
        listener.noteRead(of: collection)
        return try decode(type, try await store.records(in: collection), in: collection)
    }

    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        try EncodedChange.validateCollectionName(collection)
        listener.noteRead(of: collection)
        if let select = RecordSelect(query, in: collection) {
            switch try await store.select(select) {
            case .records(let records): return try decode(type, records, in: collection)
            case .missingStart: throw query.missingStartError(in: collection)
            case .uncomparable: break
            }
        }
        return try await recordsByReadingAll(type, in: collection, matching: query)
    }

    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        try EncodedChange.validateCollectionName(collection)
        listener.noteRead(of: collection)
        guard let record = try await store.record(id, in: collection) else { return nil }
        return try decode(type, record, in: collection)
    }

    func apply(_ changes: [DataChange]) async throws(ViperError) {
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: json)) }
        if encoded.isEmpty { return }
        // Notify observers even after an error, because the outcome may be unknown.
        defer { observers.notifyObservers(of: Set(encoded.map(\.collection))) }
        try await store.apply(encoded)
    }

    func changes(in collection: String) -> AsyncStream<CollectionChange> {
        let changes = observers.changes(in: collection)
        listener.listen(for: observers)
        return changes
    }

    private func decode<R: Record>(
        _ type: R.Type, _ records: [[UInt8]], in collection: String
    ) throws(ViperError) -> [R] {
        do {
            // Decoding one long JSON array is faster than decoding each record separately.
            let text = Array("[".utf8) + records.joined(separator: ",".utf8) + "]".utf8
            return try json.decode([R].self, from: text, named: collection)
        } catch {
            for record in records { _ = try decode(type, record, in: collection) }
            throw invalid(error, in: collection)
        }
    }

    private func decode<R: Record>(_ type: R.Type, _ record: [UInt8], in collection: String) throws(ViperError) -> R {
        do {
            return try json.decode(type, from: record, named: collection)
        } catch {
            throw invalid(error, in: collection, String(decoding: record.prefix(200), as: UTF8.self))
        }
    }

    private func invalid(_ error: ViperError, in collection: String, _ text: String? = nil) -> ViperError {
        ViperError(
            .recordInvalid, operation: "cannot read record in", subject: collection, cause: error.cause,
            notes: error.notes + (text.map { [.init("record", $0)] } ?? []),
            fix: error.fix)
    }
}

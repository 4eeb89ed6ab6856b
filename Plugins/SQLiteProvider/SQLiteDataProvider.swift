import ViperKit

/// A data provider that stores records in an SQLite database. It is suitable for many records and for several
/// processes.
///
/// Observers receive this provider's own changes immediately. They receive changes made by other providers and
/// processes within a second. Such a change is reported for every observed collection.
struct SQLiteDataProvider: DataProvider {
    private let store: SQLiteStore
    private let json: any JSONCoder
    let observers: CollectionObservers

    /// Creates a provider for a database file. The file is created when the database is first opened, and its folder
    /// must exist.
    ///
    /// - Parameter timeout: The maximum time that a call waits for other processes, in milliseconds.
    init(file: String, json: any JSONCoder, timeout: Int32 = 10_000) {
        let store = SQLiteStore(file: file, timeout: timeout)
        (self.store, self.json) = (store, json)
        // Each check reads only a few bytes of shared memory, so two checks per second cause no noticeable load. The
        // store checks a data version of the whole database, so any collection may have changed.
        observers = CollectionObservers(every: .milliseconds(500)) { _ in
            await store.otherConnectionHasChanged() ? nil : []
        }
    }

    /// Opens the database. If this method is not called, the first use of the provider opens the database.
    func open() async throws(ViperError) { try await store.open() }

    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        try EncodedChange.validateCollectionName(collection)
        return try decode(type, try await store.records(in: collection), in: collection)
    }

    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        try EncodedChange.validateCollectionName(collection)
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
        guard let record = try await store.record(id, in: collection) else { return nil }
        return try decode(type, record, in: collection)
    }

    func apply(_ changes: [DataChange]) async throws(ViperError) {
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: json)) }
        if encoded.isEmpty { return }
        try await store.apply(encoded)
        observers.notifyObservers(of: Set(encoded.map(\.collection)))
    }

    func changes(in collection: String) -> AsyncStream<CollectionChange> { observers.changes(in: collection) }

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

import ViperKit

/// A data provider that stores records in an SQLite database. Suited to many records and several processes.
struct SQLiteDataProvider: DataProvider {
    private let store: SQLiteStore
    private let json: any JSONCoder

    /// Creates a provider for a database file. The file is created on first use; its folder must exist.
    ///
    /// - Parameter patience: The maximum time that a call waits for other processes, in milliseconds.
    init(file: String, json: any JSONCoder, patience: Int32 = 10_000) {
        store = SQLiteStore(file: file, patience: patience)
        self.json = json
    }

    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        try EncodedChange.checkCollection(collection)
        return try decode(type, try await store.records(in: collection), in: collection)
    }

    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        try EncodedChange.checkCollection(collection)
        if let select = RecordSelect(query, in: collection) {
            switch try await store.select(select) {
            case .records(let records): return try decode(type, records, in: collection)
            case .missingStart: throw query.missingStart(in: collection)
            case .uncomparable: break
            }
        }
        return try await recordsByReadingAll(type, in: collection, matching: query)
    }

    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        try EncodedChange.checkCollection(collection)
        guard let record = try await store.record(id, in: collection) else { return nil }
        return try decode(type, record, in: collection)
    }

    func apply(_ changes: [DataChange]) async throws(ViperError) {
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: json)) }
        if !encoded.isEmpty { try await store.apply(encoded) }
    }

    private func decode<R: Record>(
        _ type: R.Type, _ records: [[UInt8]], in collection: String
    ) throws(ViperError) -> [R] {
        do {
            // Decoding one text is faster than decoding each record.
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
            .recordInvalid, "cannot read record in", collection, cause: error.cause,
            notes: error.notes + (text.map { [.init("record", $0)] } ?? []),
            recoverySuggestion: error.recoverySuggestion)
    }
}

import ViperKit

/// A data provider that stores records in memory. The records are stored as JSON, because a record can be written as
/// one type and read as another. The provider is an actor, so tasks can use it concurrently.
actor MemoryProvider: DataProvider {
    private let json: any JSONCoder
    private var collections: [String: [EncodedChange]] = [:]

    init(json: any JSONCoder) { self.json = json }

    func all<R: Record>(_ type: R.Type, in collection: String) throws(ViperError) -> [R] {
        try EncodedChange.validateCollectionName(collection)
        var records: [R] = []
        for record in collections[collection, default: []] { records.append(try decode(type, record)) }
        return records
    }

    func find<R: Record>(_ type: R.Type, id: String, in collection: String) throws(ViperError) -> R? {
        try EncodedChange.validateCollectionName(collection)
        guard let record = collections[collection, default: []].first(where: { Self.isSame($0.id, id) }) else {
            return nil
        }
        return try decode(type, record)
    }

    func apply(_ changes: [DataChange]) throws(ViperError) {
        // Change a copy, so that either all changes are applied or none.
        var changed = collections
        for change in changes {
            let encoded = try EncodedChange(change, with: json)
            try Self.make(encoded, in: &changed[encoded.collection, default: []])
        }
        collections = changed
    }

    private static func make(_ change: EncodedChange, in records: inout [EncodedChange]) throws(ViperError) {
        let place = records.firstIndex { isSame($0.id, change.id) }
        switch (change.kind, place) {
        case (.insert, nil): records.append(change)
        case (.replace, let place?): records[place] = change
        case (.delete, let place?): records.remove(at: place)
        case (.insert, _):
            throw ViperError(
                .recordExists, operation: change.operation, subject: change.id,
                cause: "the collection \"\(change.collection)\" already has a record with this id")
        case (.replace, _), (.delete, _):
            throw ViperError(
                .recordMissing, operation: change.operation, subject: change.id,
                cause: "the collection \"\(change.collection)\" has no record with this id")
        default: throw change.unknownKindError
        }
    }

    /// Returns true if two IDs have the same UTF-8 bytes, which is how databases compare text. Swift's `==` considers
    /// canonically equivalent strings equal, even if their bytes differ.
    private static func isSame(_ id: String, _ other: String) -> Bool { id.utf8.elementsEqual(other.utf8) }

    private func decode<R: Record>(_ type: R.Type, _ record: EncodedChange) throws(ViperError) -> R {
        do {
            return try json.decode(type, from: record.json, named: record.id)
        } catch {
            throw ViperError(
                .recordInvalid, operation: "cannot read records", subject: error.subject, cause: error.cause)
        }
    }
}

package import ViperKit

/// The encoded records of one collection, in order. Finds and changes records by id, regardless of their types.
package struct RecordCollection: Sendable {
    // A deleted record leaves a gap, so that the other places stay valid.
    private var records: [ArraySlice<UInt8>?] = []
    // Keys are bytes. Strings compare by canonical equivalence, which no database or server does with ids.
    private var places: [[UInt8]: Int] = [:]

    package init() {}

    /// The records, each as JSON.
    package var all: some Sequence<ArraySlice<UInt8>> { records.lazy.compactMap { $0 } }

    /// Returns the record with this id as JSON.
    package func record(_ id: String) -> ArraySlice<UInt8>? { places[Array(id.utf8)].flatMap { records[$0] } }

    /// Returns the position of a record. Valid only if no record was deleted.
    func place(_ id: String) -> Int? { places[Array(id.utf8)] }

    /// Appends a record.
    ///
    /// - Returns: False if the id is already in use.
    mutating func append(_ json: ArraySlice<UInt8>, id: String) -> Bool {
        let key = Array(id.utf8)
        guard places[key] == nil else { return false }
        places[key] = records.count
        records.append(json)
        return true
    }

    /// Applies a change.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/recordExists`` or ``ViperKit/ViperError/Code/recordMissing``.
    package mutating func apply(_ change: EncodedChange) throws(ViperError) {
        if change.kind == .insert {
            guard append(change.json[...], id: change.id) else {
                throw ViperError(
                    .recordExists, change.failedOperation, change.id,
                    cause: "the collection \"\(change.collection)\" already has a record with this id",
                    recoverySuggestion: "replace that record, or use another id")
            }
            return
        }
        let key = Array(change.id.utf8)
        guard let place = places[key] else {
            throw ViperError(
                .recordMissing, change.failedOperation, change.id,
                cause: "the collection \"\(change.collection)\" has no record with this id")
        }
        if change.kind == .replace {
            records[place] = change.json[...]
        } else {
            records[place] = nil
            places[key] = nil
        }
    }
}

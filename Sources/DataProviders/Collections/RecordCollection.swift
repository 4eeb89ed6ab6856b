package import ViperKit

/// The encoded records of one collection, in order. Records are found and changed by their IDs, regardless of their
/// types.
package struct RecordCollection: Sendable {
    // A deleted record leaves a nil element, so that the other indices stay valid.
    private var records: [ArraySlice<UInt8>?] = []
    // The keys are UTF-8 bytes. Swift compares strings by canonical equivalence, but databases and servers do not
    // compare IDs in this way.
    private var places: [[UInt8]: Int] = [:]

    package init() {}

    /// All records in order, as JSON.
    package var all: some Sequence<ArraySlice<UInt8>> { records.lazy.compactMap { $0 } }

    /// Returns the JSON of the record with this ID, or nil if there is none.
    package func record(_ id: String) -> ArraySlice<UInt8>? { places[Array(id.utf8)].flatMap { records[$0] } }

    /// Returns the index of the record with this ID, or nil if there is none. After a deletion, the index can differ
    /// from the record's position in the file.
    func place(_ id: String) -> Int? { places[Array(id.utf8)] }

    /// Appends a record.
    ///
    /// - Returns: True if the record was appended. False if the ID is already in use.
    mutating func append(_ json: ArraySlice<UInt8>, id: String) -> Bool {
        let key = Array(id.utf8)
        guard places[key] == nil else { return false }
        places[key] = records.count
        records.append(json)
        return true
    }

    /// Applies a change.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/recordExists`` if the change inserts an ID that is already in use.
    ///   ``ViperKit/ViperError/Code/recordMissing`` if the change replaces or deletes a record that does not exist.
    package mutating func apply(_ change: EncodedChange) throws(ViperError) {
        if change.kind == .insert {
            guard append(change.json[...], id: change.id) else {
                throw ViperError(
                    .recordExists, operation: change.operation, subject: change.id,
                    cause: "the collection \"\(change.collection)\" already has a record with this id",
                    fix: "replace that record, or use another id")
            }
            return
        }
        let key = Array(change.id.utf8)
        guard let place = places[key] else {
            throw ViperError(
                .recordMissing, operation: change.operation, subject: change.id,
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

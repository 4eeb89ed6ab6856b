package import ViperKit

/// The records of one collection as encoded, in order. Changes and finds them by id, whatever their types are.
package struct RecordCollection: Sendable {
    // A deleted record leaves a hole, so that the places of the others stay.
    private var records: [ArraySlice<UInt8>?] = []
    // By bytes: strings are equal when they look equal, and no database or server compares ids that way.
    private var places: [[UInt8]: Int] = [:]

    /// A collection without records.
    package init() {}

    /// The records, each as JSON.
    package var all: some Sequence<ArraySlice<UInt8>> { records.lazy.compactMap { $0 } }

    /// The record with this id, as JSON.
    package func record(_ id: String) -> ArraySlice<UInt8>? { places[Array(id.utf8)].flatMap { records[$0] } }

    /// The record's place among the others, when none was deleted.
    func place(_ id: String) -> Int? { places[Array(id.utf8)] }

    /// Adds a record at the end.
    ///
    /// - Returns: Whether its id was free.
    mutating func append(_ json: ArraySlice<UInt8>, id: String) -> Bool {
        let key = Array(id.utf8)
        guard places[key] == nil else { return false }
        places[key] = records.count
        records.append(json)
        return true
    }

    /// Makes one change.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/recordExists`` or ``ViperKit/ViperError/Code/recordMissing``.
    package mutating func apply(_ change: EncodedChange) throws(ViperError) {
        if change.kind == .insert {
            guard append(change.json[...], id: change.id) else {
                throw ViperError(
                    .recordExists, change.what, change.id,
                    cause: "the collection \"\(change.collection)\" has a record with this id",
                    mend: "replace that one, or give this one another id")
            }
            return
        }
        let key = Array(change.id.utf8)
        guard let place = places[key] else {
            throw ViperError(
                .recordMissing, change.what, change.id,
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

import FoundationEssentials
import HostSystem
import ViperKit

/// The file of one collection: a JSON array with its records as they were encoded, a line each.
package struct CollectionFile {
    /// A gibibyte: far above any collection that fits this kind of store, far below what a machine can take.
    package static let limit = 1 << 30

    var path: String
    /// Nil when there is no such file.
    var data: Data?

    /// - Throws: ``ViperKit/ViperError/Code/storeFailed``.
    private func text() throws(ViperError) -> JSONText {
        let purpose = JSONText.Purpose(code: .storeFailed, what: "cannot read records")
        return try JSONText(name: path, data: data ?? Data("[]".utf8), purpose: purpose)
    }

    /// All records.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/recordInvalid`` for a record of another type,
    ///   ``ViperKit/ViperError/Code/storeFailed`` for a damaged file; each with `file:line:column`.
    func decode<R: Record>(_ type: R.Type) throws(ViperError) -> [R] {
        let text = try text()
        do { return try text.with(.recordInvalid).decode([R].self) } catch {
            // Either no record is at fault but the file; then that is the error.
            _ = try Self.collection(text)
            throw error
        }
    }

    /// One record. Throws as ``decode(_:)``.
    func decode<R: Record>(_ type: R.Type, id: String) throws(ViperError) -> R? {
        let text = try text()
        let records = try Self.collection(text)
        // Its indices are those of the file.
        guard let place = records.place(id), let json = records.record(id) else { return nil }
        return try text.with(.recordInvalid).decode(type, in: json.indices, at: [.index(place)])
    }

    /// The records with their ids, whatever their types are.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed``.
    func collection() throws(ViperError) -> RecordCollection { try Self.collection(text()) }

    private static func collection(_ text: JSONText) throws(ViperError) -> RecordCollection {
        let ids = try text.decode([IdentifiedRecord].self).map(\.id)
        let bytes = [UInt8](text.data)
        var records = RecordCollection()
        for (place, (id, range)) in zip(ids, jsonElementRanges(bytes)).enumerated()
        where !records.append(bytes[range], id: id) {
            throw text.failure(
                at: range.lowerBound, in: bytes, cause: "an earlier record has the id \"\(id)\" too",
                path: [.index(place)], mend: "remove one of them, or give it another id")
        }
        return records
    }

    /// The content of a file with these records.
    static func content(_ records: RecordCollection) -> [UInt8] {
        var bytes = Array("[".utf8)
        var separator = "\n"
        for record in records.all {
            bytes += separator.utf8
            bytes += record
            separator = ",\n"
        }
        return bytes + "\n]\n".utf8
    }
}

/// The part of an encoded record that every record has.
private struct IdentifiedRecord: Decodable {
    var id: String
}

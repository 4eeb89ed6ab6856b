import FoundationEssentials
import HostSystem
import ViperKit

/// A file that stores one collection. It contains a JSON array with one encoded record per line.
package struct CollectionFile {
    var path: String
    /// The file's content, or nil if the file does not exist.
    var data: Data?

    private func text() throws(ViperError) -> JSONText {
        let purpose = JSONText.Purpose(code: .storeFailed, operation: "cannot read records")
        return try JSONText(name: path, data: data ?? Data("[]".utf8), purpose: purpose)
    }

    /// Decodes all records.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/recordInvalid`` if a record cannot be decoded as this type.
    ///   ``ViperKit/ViperError/Code/storeFailed`` if the file is damaged or two records have the same ID. Both errors
    ///   contain the position as `file:line:column`.
    func decode<R: Record>(_ type: R.Type) throws(ViperError) -> [R] {
        let text = try text()
        let records: [R]
        do { records = try text.with(.recordInvalid).decode([R].self) } catch {
            // If the file itself is damaged, throw the error about the damage instead.
            _ = try Self.collection(text)
            throw error
        }
        // Throws an error with the position of the repeated ID.
        if Set(records.map(\.id)).count < records.count { _ = try Self.collection(text) }
        return records
    }

    /// Decodes the record with this ID. Returns nil if there is none.
    ///
    /// - Throws: The same errors as ``decode(_:)``.
    func decode<R: Record>(_ type: R.Type, id: String) throws(ViperError) -> R? {
        let text = try text()
        let records = try Self.collection(text)
        // The indices of `json` are byte offsets in the file.
        guard let place = records.place(id), let json = records.record(id) else { return nil }
        return try text.with(.recordInvalid).decode(type, in: json.indices, at: [.index(place)])
    }

    /// Returns the encoded records with their IDs, regardless of their types.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed`` if the file is damaged.
    func collection() throws(ViperError) -> RecordCollection { try Self.collection(text()) }

    private static func collection(_ text: JSONText) throws(ViperError) -> RecordCollection {
        let ids = try text.decode([IdentifiedRecord].self).map(\.id)
        let bytes = [UInt8](text.data)
        var records = RecordCollection()
        for (place, (id, range)) in zip(ids, jsonElementRanges(bytes)).enumerated()
        where !records.append(bytes[range], id: id) {
            throw text.failure(
                at: range.lowerBound, in: bytes, cause: "an earlier record has the same id, \"\(id)\"",
                path: [.index(place)], fix: "remove one of them, or give it another id")
        }
        return records
    }

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

private struct IdentifiedRecord: Decodable {
    var id: String
}

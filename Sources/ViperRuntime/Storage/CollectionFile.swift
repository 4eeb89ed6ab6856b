import FoundationEssentials
import ViperKit

/// The file of one collection: a JSON array with its records as they were encoded, a line each.
struct CollectionFile {
    /// A gibibyte: far above any collection that fits this kind of store, far below what a machine can take.
    static let limit = 1 << 30

    var path: String
    /// Nil when there is no such file.
    var data: Data?

    private func text(_ code: ViperError.Code) -> JSONText {
        JSONText(name: path, data: data ?? Data("[]".utf8), purpose: .init(code: code, what: "cannot read records"))
    }

    /// All records.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/recordInvalid`` for a record of another type,
    ///   ``ViperKit/ViperError/Code/storeFailed`` for a damaged file; each with `file:line:column`.
    func decode<R: Record>(_ type: R.Type) throws(ViperError) -> [R] {
        do {
            return try text(.recordInvalid).decode([R].self)
        } catch {
            // Either no record is at fault but the file; then that is the error.
            _ = try collection()
            throw error
        }
    }

    /// One record. Throws as ``decode(_:)``.
    func decode<R: Record>(_ type: R.Type, id: String) throws(ViperError) -> R? {
        let records = try collection()
        guard let place = records.place(id), let json = records.record(id) else { return nil }
        return try text(.recordInvalid).decode(type, from: json, at: [.index(place)])
    }

    /// The records with their ids, whatever their types are.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed``.
    func collection() throws(ViperError) -> RecordCollection {
        let text = text(.storeFailed)
        let ids = try text.decode([IdentifiedRecord].self).map(\.id)
        let bytes = [UInt8](text.data)
        var records = RecordCollection()
        for (place, (id, range)) in zip(ids, elementRanges(bytes)).enumerated()
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

/// Where the elements of a JSON array stand. The text was checked before.
private func elementRanges(_ bytes: [UInt8]) -> [Range<Int>] {
    var (ranges, depth, start): ([Range<Int>], Int, Int?) = ([], 0, nil)
    var (index, end) = (0, 0)
    while index < bytes.count {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            index += 1
            continue
        case UInt8(ascii: ",") where depth == 1, UInt8(ascii: "]") where depth == 1:
            if let start { ranges.append(start..<end) }
            start = nil
            index += 1
            continue
        case UInt8(ascii: "\""):
            if depth == 1, start == nil { start = index }
            index += 1
            // An escape takes the byte after it along, a quote for example.
            while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        default:
            if depth == 1, start == nil { start = index }
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        }
        index += 1
        end = index
    }
    return ranges
}

/// The part of an encoded record that every record has.
private struct IdentifiedRecord: Decodable {
    var id: String
}

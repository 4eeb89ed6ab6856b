import FoundationEssentials
package import ViperKit

/// A change whose names were checked and whose record is encoded, so that what is left to fail is the store.
package struct RecordChange: Sendable {
    package enum Kind: Sendable {
        case insert, replace, delete
    }

    package var kind: Kind
    package var collection: String
    package var id: String
    /// The record as JSON; empty for a deletion.
    package var json: ArraySlice<UInt8> = []

    /// - Throws: ``ViperKit/ViperError/Code/recordInvalid``.
    package init(_ change: DataChange) throws(ViperError) {
        switch change {
        case .insert(let record, let collection):
            self.init(kind: .insert, collection: collection, id: record.id)
            json = try encode(record)
        case .replace(let record, let collection):
            self.init(kind: .replace, collection: collection, id: record.id)
            json = try encode(record)
        case .delete(let id, let collection):
            self.init(kind: .delete, collection: collection, id: id)
        @unknown default:
            throw ViperError(
                .storeFailed, "cannot make change", "\(change)", cause: "this host does not know its kind",
                mend: "use a host that was built with the module's ViperKit")
        }
        try checkCollection(collection)
    }

    private init(kind: Kind, collection: String, id: String) {
        (self.kind, self.collection, self.id) = (kind, collection, id)
    }

    /// What is tried, for an error.
    var what: String { "cannot \(kind) record" }

    private func encode(_ record: any Record) throws(ViperError) -> ArraySlice<UInt8> {
        guard !id.isEmpty else { throw invalid(cause: "its id is empty", mend: "give it an id") }
        let encoder = JSONEncoder()
        // The same record is then the same text, and a file changes only where its records do.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json: [UInt8]
        do {
            json = [UInt8](try encoder.encode(record))
        } catch {
            throw invalid(cause: JSONIssue(encoding: error).cause)
        }
        // As it will stand in its collection: one level deeper than by itself. Reading it back proves that it can be.
        let element = Data("[".utf8) + json + Data("]".utf8)
        let text = JSONText(name: id, data: element, purpose: .init(code: .recordInvalid, what: what))
        let read: [IdentifiedRecord]
        do {
            read = try text.decode([IdentifiedRecord].self)
        } catch {
            throw invalid(cause: "it is encoded as something else than an object with an \"id\": \(error.cause)")
        }
        guard read.first?.id.utf8.elementsEqual(id.utf8) == true else {
            throw invalid(cause: "it is encoded with another \"id\" than its own")
        }
        return json[...]
    }

    private func invalid(cause: String, mend: String? = nil) -> ViperError {
        ViperError(
            .recordInvalid, what, id, cause: cause, notes: [.init("collection", collection)], mend: mend)
    }
}

/// The part of an encoded record that every record has.
struct IdentifiedRecord: Decodable {
    var id: String
}

/// Checks that a collection has a name that any store can use: as a file's, a table's or a path's.
///
/// - Throws: ``ViperKit/ViperError/Code/recordInvalid``.
package func checkCollection(_ name: String) throws(ViperError) {
    guard name.unicodeScalars.count <= Grammar.name.longest, Grammar.name.accepts(name) else {
        throw ViperError(
            .recordInvalid, "cannot use collection", name, cause: "a collection cannot have this name",
            mend: "write \(Grammar.name.mend), at most \(Grammar.name.longest) of them")
    }
}

extension JSONIssue {
    /// The issue behind what an encoder threw.
    fileprivate init(encoding error: any Error) {
        guard case EncodingError.invalidValue(_, let context) = error else {
            self.init(error)
            return
        }
        let path = context.codingPath.map(JSONStep.init)
        self.init(path: context.codingPath, cause: "\(context.debugDescription) (at \(jsonPath(path)))", mend: nil)
    }
}

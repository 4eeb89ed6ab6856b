import DataProviders
import FoundationEssentials
import HostSystem
import ViperKit

/// A proxy for a data provider in a check process.
struct RemoteDataProvider: DataProvider {
    let process: CheckProcess
    let number: Int

    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        let question = CheckQuestion.all(provider: number, collection: collection, asNumeric: Self.isNumeric(type))
        return try Self.records(type, from: try await process.ask(question, as: [String].self))
    }

    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        let question = CheckQuestion.find(
            provider: number, id: id, collection: collection, asNumeric: Self.isNumeric(type))
        return try Self.records(type, from: try await process.ask(question, as: [String].self)).first
    }

    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        let question = CheckQuestion.select(
            provider: number, collection: collection, query: try CheckQuestion.Query(query),
            asNumeric: Self.isNumeric(type))
        return try Self.records(type, from: try await process.ask(question, as: [String].self))
    }

    func apply(_ changes: [DataChange]) async throws(ViperError) {
        var asked: [CheckQuestion.Change] = []
        for change in changes { asked.append(try CheckQuestion.Change(change)) }
        try await process.ask(.apply(provider: number, changes: asked))
    }

    // A conformance check tests the error that the provider throws for this type, so the provider must decode the
    // records. Records of all other types are decoded in this process.
    private static func isNumeric(_ type: any Record.Type) -> Bool { type == NumericRecord.self }

    private static func records<R: Record>(_ type: R.Type, from texts: [String]) throws(ViperError) -> [R] {
        var records: [R] = []
        for text in texts {
            records.append(try FoundationJSONCoder().decode(R.self, from: Array(text.utf8), named: "record"))
        }
        return records
    }
}

extension CheckQuestion.Change {
    /// Creates the representation of a change that is sent to a check process.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` for an unknown kind of change.
    fileprivate init(_ change: DataChange) throws(ViperError) {
        switch change {
        case .insert(let record, let collection): self.init(.insert, record, collection)
        case .replace(let record, let collection): self.init(.replace, record, collection)
        case .delete(let id, let collection): self.init(kind: .delete, collection: collection, id: id, json: nil)
        @unknown default:
            throw ViperError(
                .storeFailed, operation: "cannot send change", subject: "\(change)",
                cause: "the check does not support it")
        }
    }

    private init(_ kind: Kind, _ record: any Record, _ collection: String) {
        let json = try? FoundationJSONCoder().encode(record)
        self.init(
            kind: kind, collection: collection, id: record.id, json: json.map { String(decoding: $0, as: UTF8.self) })
    }
}

extension DataChange {
    /// Creates a change from the change in a question. If the JSON is missing, the original record cannot be encoded,
    /// so the new record cannot be encoded either.
    init(_ change: CheckQuestion.Change) throws(ViperError) {
        func record() throws(ViperError) -> any Record {
            guard let json = change.json else { return EndlessRecord(id: change.id) }
            let value = try FoundationJSONCoder().decode(JSONValue.self, from: Array(json.utf8), named: "record")
            return AnyRecord(id: change.id, value: value)
        }
        self =
            switch change.kind {
            case .insert: .insert(try record(), into: change.collection)
            case .replace: .replace(try record(), in: change.collection)
            case .delete: .delete(id: change.id, from: change.collection)
            }
    }
}

extension DataProvider {
    func texts(in collection: String, asNumeric: Bool) async throws(ViperError) -> [String] {
        asNumeric
            ? try Self.texts(of: try await all(NumericRecord.self, in: collection))
            : try Self.texts(of: try await all(AnyRecord.self, in: collection))
    }

    func texts(
        in collection: String, matching query: RecordQuery, asNumeric: Bool
    ) async throws(ViperError) -> [String] {
        asNumeric
            ? try Self.texts(of: try await records(NumericRecord.self, in: collection, matching: query))
            : try Self.texts(of: try await records(AnyRecord.self, in: collection, matching: query))
    }

    /// Returns a list that contains the record as a JSON string, or an empty list if the record does not exist.
    func texts(id: String, in collection: String, asNumeric: Bool) async throws(ViperError) -> [String] {
        let record: (any Record)? =
            asNumeric
            ? try await find(NumericRecord.self, id: id, in: collection)
            : try await find(AnyRecord.self, id: id, in: collection)
        return try Self.texts(of: record.map { [$0] } ?? [])
    }

    private static func texts(of records: [any Record]) throws(ViperError) -> [String] {
        var texts: [String] = []
        for record in records {
            texts.append(String(decoding: try FoundationJSONCoder().encode(record), as: UTF8.self))
        }
        return texts
    }
}

private struct AnyRecord: Record {
    var id: String
    var value: JSONValue

    init(id: String, value: JSONValue) { (self.id, self.value) = (id, value) }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
        value = try JSONValue(from: decoder)
    }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    private enum CodingKeys: CodingKey { case id }
}

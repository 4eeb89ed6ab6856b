import ViperKit

extension EncodedChange {
    /// The status codes that indicate success for this kind of change.
    var successes: [Int] { kind == .insert ? [201] : [200, 204] }

    /// Returns the record error that corresponds to the response's status, such as `record-exists` for 409. Returns nil
    /// for any other status.
    func failure(_ response: HTTPResponse) -> ViperError? {
        switch (response.status, kind) {
        case (409, .insert):
            ViperError(
                .recordExists, operation: operation, subject: id,
                cause: "the collection \"\(collection)\" already has a record with this id",
                fix: "replace that record, or use another id")
        case (404, .replace), (404, .delete):
            ViperError(
                .recordMissing, operation: operation, subject: id,
                cause: "the collection \"\(collection)\" has no record with this id")
        case (422, _):
            ViperError(
                .recordInvalid, operation: operation, subject: id, cause: "the server rejected it",
                notes: [
                    .init("collection", collection),
                    .init("response", String(decoding: response.body.prefix(200), as: UTF8.self)),
                ])
        default: nil
        }
    }

    /// Returns the change as a JSON object for use in the body of a `PATCH` request.
    func patch(with json: any JSONCoder) throws(ViperError) -> [UInt8] {
        let head = try json.encode(Head(op: kind.rawValue, collection: collection, id: id))
        if kind == .delete { return head }
        // The record is already encoded, so insert it before the closing brace.
        return head.dropLast() + ",\"record\":".utf8 + self.json + "}".utf8
    }

    private struct Head: Encodable {
        var op: String
        var collection: String
        var id: String
    }
}

import ViperKit

extension EncodedChange {
    /// The statuses that say that the change was made.
    var successes: [Int] { kind == .insert ? [201] : [200, 204] }

    /// The error that a response to this change means, nil when it means none of a record.
    func failure(_ response: HTTPResponse) -> ViperError? {
        switch (response.status, kind) {
        case (409, .insert):
            ViperError(
                .recordExists, what, id, cause: "the collection \"\(collection)\" has a record with this id",
                mend: "replace that one, or give this one another id")
        case (404, .replace), (404, .delete):
            ViperError(
                .recordMissing, what, id, cause: "the collection \"\(collection)\" has no record with this id")
        case (422, _):
            ViperError(
                .recordInvalid, what, id, cause: "the server does not take it",
                notes: [
                    .init("collection", collection),
                    .init("it said", String(decoding: response.body.prefix(200), as: UTF8.self)),
                ])
        default: nil
        }
    }

    /// The change as one of several: an object.
    func patch(with json: any JSONCoder) throws(ViperError) -> [UInt8] {
        let head = try json.encode(Head(op: kind.rawValue, collection: collection, id: id))
        if kind == .delete { return head }
        // The record is encoded already: it goes in front of the object's last brace.
        return head.dropLast() + ",\"record\":".utf8 + self.json + "}".utf8
    }

    private struct Head: Encodable {
        var op: String
        var collection: String
        var id: String
    }
}

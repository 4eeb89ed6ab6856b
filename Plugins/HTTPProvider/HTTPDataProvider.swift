import ViperKit

/// A data provider that stores records on a server. It uses JSON over HTTP.
///
/// | request                        | body       | response                                                          |
/// |--------------------------------|------------|-------------------------------------------------------------------|
/// | `GET BASE/COLLECTION`          |            | 200 with an array of the records in order, which may be empty     |
/// | `GET BASE/COLLECTION/ID`       |            | 200 with the record, or 404                                       |
/// | `POST BASE/COLLECTION`         | the record | 201, or 409 if the ID exists                                      |
/// | `PUT BASE/COLLECTION/ID`       | the record | 200 or 204, or 404 if the record does not exist                   |
/// | `DELETE BASE/COLLECTION/ID`    |            | 200 or 204, or 404 if the record does not exist                   |
/// | `PATCH BASE`                   | changes    | 200 or 204 if all changes were made. Otherwise, no change is made |
/// |                                |            | and the response is 409, 404 or 422 with the failed change.       |
///
/// The provider sends several changes in one `PATCH` request, as an ordered array. The response to a failed request
/// contains the index and the ID of the failed change:
///
/// ```json
/// [{"op": "insert", "collection": "people", "id": "7", "record": {"id": "7", "name": "Ada"}}]
/// {"index": 0, "id": "7"}
/// ```
///
/// `op` is `insert`, `replace` or `delete`. A deletion has no `record`. If the server rejects the record in a change
/// for another reason, it responds to the request with 422. Collection names and IDs are percent-encoded in URLs. See
/// ``RecordServer``. The maximum size of a response is 16 MiB.
///
/// For any other response, the call throws ``ViperError/Code/storeFailed``. The provider never retries a request. If
/// the response to a change is lost, the call fails although the server may have made the change.
///
/// Observers receive changes that this provider makes, but not changes by other clients. A query reads the whole
/// collection.
struct HTTPDataProvider: DataProvider {
    private let server: RecordServer
    private let client: any HTTPClient
    private let json: any JSONCoder
    private let timeLimit: Duration
    private let observers = CollectionObservers()

    /// Creates a provider for a server.
    ///
    /// - Parameters:
    ///   - server: The server that stores the records.
    ///   - client: The client that sends the requests.
    ///   - json: The coder for records and responses.
    ///   - timeLimit: The maximum time for each request.
    init(
        server: RecordServer, client: any HTTPClient, json: any JSONCoder, timeLimit: Duration = .seconds(30)
    ) {
        (self.server, self.client, self.json, self.timeLimit) = (server, client, json, timeLimit)
    }

    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        try EncodedChange.validateCollectionName(collection)
        let exchange = try await send(server.request("GET", collection), to: "cannot read records at")
        guard exchange.response.status == 200 else { throw exchange.failure() }
        do {
            return try json.decode([R].self, from: exchange.response.body, named: collection)
        } catch {
            // If the whole response is invalid, throw the error about the response instead.
            _ = try exchange.decode([IdentifiedRecord].self, with: json)
            throw invalid(error, in: collection)
        }
    }

    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        try EncodedChange.validateCollectionName(collection)
        // No record has an empty ID. With an empty ID, the URL would refer to the collection.
        if id.isEmpty { return nil }
        let exchange = try await send(server.request("GET", collection, id), to: "cannot read records at")
        if exchange.response.status == 404 { return nil }
        guard exchange.response.status == 200 else { throw exchange.failure() }
        guard try exchange.decode(IdentifiedRecord.self, with: json).id.utf8.elementsEqual(id.utf8) else {
            throw exchange.failure(cause: "the response contains another record than \"\(id)\"")
        }
        do {
            return try json.decode(type, from: exchange.response.body, named: collection)
        } catch {
            throw invalid(error, in: collection)
        }
    }

    func apply(_ changes: [DataChange]) async throws(ViperError) {
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: json)) }
        guard let first = encoded.first else { return }
        // Notify observers even after an error. The server may have applied the changes although its response was lost.
        defer { observers.notifyObservers(of: Set(encoded.map(\.collection))) }
        // The URL of a change contains the record's ID, so a change with an empty ID is sent as a `PATCH`.
        if encoded.count == 1, !first.id.isEmpty {
            try await make(first)
        } else {
            try await makeTogether(encoded)
        }
    }

    func changes(in collection: String) -> AsyncStream<CollectionChange> { observers.changes(in: collection) }

    private func make(_ change: EncodedChange) async throws(ViperError) {
        let exchange = try await send(try server.request(for: change), to: "cannot write records at")
        if change.successes.contains(exchange.response.status) { return }
        throw change.failure(exchange.response) ?? exchange.failure()
    }

    private func makeTogether(_ changes: [EncodedChange]) async throws(ViperError) {
        var body: [UInt8] = []
        for change in changes {
            body += (body.isEmpty ? "[" : ",").utf8
            body += try change.patch(with: json)
        }
        let exchange = try await send(server.request("PATCH", body: body + "]".utf8), to: "cannot write records at")
        if [200, 204].contains(exchange.response.status) { return }
        // A response without a valid index does not refer to these changes. For example, the server may not support
        // `PATCH`.
        let place = try? json.decode(FailedChange.self, from: exchange.response.body, named: "the response")
        guard let place, changes.indices.contains(place.index),
            changes[place.index].id.utf8.elementsEqual(place.id.utf8),
            let failure = changes[place.index].failure(exchange.response)
        else { throw exchange.failure() }
        throw failure
    }

    private func send(_ request: HTTPRequest, to what: String) async throws(ViperError) -> Exchange {
        var request = request
        request.timeLimit = timeLimit
        do {
            return Exchange(what: what, request: request, response: try await client.send(request))
        } catch {
            throw ViperError(
                .storeFailed, operation: what, subject: request.redactedURL, cause: error.cause, notes: error.notes,
                fix: error.fix)
        }
    }

    private func invalid(_ error: ViperError, in collection: String) -> ViperError {
        ViperError(
            .recordInvalid, operation: "cannot read record in", subject: collection, cause: error.cause,
            notes: error.notes,
            fix: error.fix)
    }
}

private struct IdentifiedRecord: Decodable {
    var id: String
}

private struct FailedChange: Decodable {
    var index: Int
    var id: String
}

import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import HTTPProvider

/// The provider's interpretation of responses, without a server.
struct AnswerTests {
    private struct Note: Record {
        var id: String
        var text = ""
    }

    private func provider(_ client: ScriptedHTTPClient) throws -> HTTPDataProvider {
        HTTPDataProvider(
            server: try RecordServer(baseURL: "http://u:secret@a.b"), client: client, json: FoundationJSONCoder())
    }

    private static let insert = DataChange.insert(Note(id: "1"), into: "notes")
    private static let replace = DataChange.replace(Note(id: "1"), in: "notes")
    private static let delete = DataChange.delete(id: "1", from: "notes")

    /// Returns the error of the changes, or nil if they succeed.
    private func failure(_ changes: [DataChange], _ status: Int, _ body: String = "") async throws -> ViperError? {
        do {
            try await provider(ScriptedHTTPClient(always: .response(status, body))).apply(changes)
            return nil
        } catch let error as ViperError {
            return error
        }
    }

    @Test("Each status of a change maps to success, a record error or a store error")
    func statuses() async throws {
        let meanings: [(DataChange, successes: [Int], failures: [Int: ViperError.Code])] = [
            (Self.insert, [201], [409: .recordExists, 422: .recordInvalid]),
            (Self.replace, [200, 204], [404: .recordMissing, 422: .recordInvalid]),
            (Self.delete, [200, 204], [404: .recordMissing, 422: .recordInvalid]),
        ]
        for (change, successes, failures) in meanings {
            for status in [
                0, 100, 199, 200, 201, 202, 204, 206, 301, 304, 400, 401, 404, 409, 410, 422, 429, 500, 503, 999,
            ] {
                let expected = successes.contains(status) ? nil : failures[status] ?? .storeFailed
                #expect(try await failure([change], status)?.code == expected, "\(change) \(status)")
            }
        }
    }

    @Test("Record errors name the record, the collection and the cause")
    func recordErrors() async throws {
        #expect(
            try await failure([Self.insert], 409)
                == ViperError(
                    .recordExists, operation: "cannot insert record", subject: "1",
                    cause: "the collection \"notes\" already has a record with this id",
                    fix: "replace that record, or use another id"))
        #expect(
            try await failure([Self.replace], 404)
                == ViperError(
                    .recordMissing, operation: "cannot replace record", subject: "1",
                    cause: "the collection \"notes\" has no record with this id"))
        #expect(
            try await failure([Self.delete], 422, "no")
                == ViperError(
                    .recordInvalid, operation: "cannot delete record", subject: "1", cause: "the server rejected it",
                    notes: [.init("collection", "notes"), .init("response", "no")]))
    }

    @Test("A failed batch reports the change that the server names")
    func together() async throws {
        let changes = [Self.delete, Self.insert, .replace(Note(id: "2"), in: "other")]
        for status in [200, 204] { #expect(try await failure(changes, status) == nil) }
        let exists = try await failure(changes, 409, #"{"index": 1, "id": "1"}"#)
        #expect(
            exists?.summary == "cannot insert record \"1\": the collection \"notes\" already has a record with this id")
        let missing = try await failure(changes, 404, #"{"id": "2", "index": 2, "more": []}"#)
        #expect(missing?.summary == "cannot replace record \"2\": the collection \"other\" has no record with this id")
        #expect(try await failure(changes, 422, #"{"index": 0, "id": "1"}"#)?.code == .recordInvalid)
    }

    @Test(
        "A batch failure that names no change, or an impossible one, is a store error",
        arguments: [
            (404, ""), (404, "<html>"), (404, "[]"), (404, "{}"), (404, #"{"index": 1}"#),
            (404, #"{"index": "1", "id": "1"}"#),
            (404, #"{"index": -1, "id": "1"}"#), (404, #"{"index": 2, "id": "1"}"#), (404, #"{"index": 1, "id": "7"}"#),
            (409, #"{"index": 1, "id": "1"}"#), (404, #"{"index": 0, "id": "1"}"#), (500, #"{"index": 0, "id": "1"}"#),
            (201, ""), (404, #"{"index": 1e300, "id": "1"}"#),
        ])
    func unnamed(status: Int, body: String) async throws {
        let error = try await failure([Self.insert, Self.delete], status, body)
        #expect(error?.code == .storeFailed)
        #expect(error?.summary == "cannot write records at \"http://a.b\": the server responded with status \(status)")
        #expect(error?.notes == (body.isEmpty ? [] : [.init("response", body)]))
    }

    @Test("A list response other than 200 with an array of records is a store error")
    func lists() async throws {
        for (status, body) in [
            (404, "no such page"), (206, "[]"), (204, ""), (200, ""), (200, "<html>"), (200, "{}"), (200, "null"),
            (200, #"[{"id": "1"}, {"i"#), (200, "[7]"), (200, #"[{"text": "a"}]"#), (200, #"[{"id": 1}]"#),
        ] {
            let error = await #expect(throws: ViperError.self) {
                _ = try await provider(ScriptedHTTPClient(always: .response(status, body))).all(Note.self, in: "notes")
            }
            #expect(error?.code == .storeFailed, "\(status) \(body)")
            #expect(error?.subject == "http://a.b/notes")
        }
    }

    @Test("A record response other than 200 with that record is a store error")
    func records() async throws {
        for (status, body) in [
            (500, ""), (206, #"{"id": "1"}"#), (200, ""), (200, "<html>"), (200, "[]"), (200, #"{"text": "a"}"#),
            (200, #"{"id": "2", "text": "a"}"#),
        ] {
            let error = await #expect(throws: ViperError.self) {
                _ = try await provider(ScriptedHTTPClient(always: .response(status, body))).find(
                    Note.self, id: "1", in: "notes")
            }
            #expect(error?.code == .storeFailed, "\(status) \(body)")
            #expect(error?.subject == "http://a.b/notes/1")
        }
    }

    @Test("A record of another type is an error that names the fault and its position")
    func wrongType() async throws {
        let record = #"{"id": "1", "text": 7}"#
        let error = await #expect(throws: ViperError.self) {
            _ = try await provider(ScriptedHTTPClient(always: .response(200, "[\(record)]"))).all(
                Note.self, in: "notes")
        }
        #expect(error?.code == .recordInvalid)
        #expect(error?.summary == "cannot read record in \"notes\": expected a string, found a number")
        #expect(error?.notes.first == .init("at", "$[0].text"))
        let single = await #expect(throws: ViperError.self) {
            _ = try await provider(ScriptedHTTPClient(always: .response(200, record))).find(
                Note.self, id: "1", in: "notes")
        }
        #expect(single?.code == .recordInvalid)
        #expect(single?.notes.first == .init("at", "$.text"))
    }

    @Test("Client errors become store errors with the same details, without a retry")
    func clientFails() async throws {
        let failure = ViperError(
            .httpFailed, operation: "cannot GET", subject: "http://a.b", cause: "no connection",
            notes: [.init("libcurl says", "refused")],
            fix: "check that the server runs")
        let client = ScriptedHTTPClient(always: .error(failure))
        let provider = try provider(client)
        for (what, address, call) in [
            ("cannot read records at", "http://a.b/notes", { _ = try await provider.all(Note.self, in: "notes") }),
            (
                "cannot read records at", "http://a.b/notes/1",
                { _ = try await provider.find(Note.self, id: "1", in: "notes") }
            ),
            ("cannot write records at", "http://a.b/notes", { try await provider.apply([Self.insert]) }),
            ("cannot write records at", "http://a.b/notes/1", { try await provider.apply([Self.delete]) }),
            ("cannot write records at", "http://a.b", { try await provider.apply([Self.delete, Self.insert]) }),
        ] as [(String, String, () async throws -> Void)] {
            let expected = ViperError(
                .storeFailed, operation: what, subject: address, cause: failure.cause, notes: failure.notes,
                fix: failure.fix)
            await #expect(throws: expected) { try await call() }
        }
        #expect(client.requests.count == 5)
    }
}

import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import HTTPProvider

/// The requests that the provider sends, without a server.
struct RequestTests {
    private struct Note: Record {
        var id: String
        var text = ""
    }

    private func provider(_ client: ScriptedHTTPClient, at url: String = "http://a.b/api") throws -> HTTPDataProvider {
        HTTPDataProvider(server: try RecordServer(baseURL: url), client: client, json: FoundationJSONCoder())
    }

    /// Returns the sent requests, each as `METHOD URL BODY`.
    private func sent(_ client: ScriptedHTTPClient) -> [String] {
        client.requests.map {
            "\($0.method) \($0.url)" + ($0.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    @Test("Each call sends one request")
    func calls() async throws {
        let list = ScriptedHTTPClient(always: .response(200, "[]"))
        #expect(try await provider(list).all(Note.self, in: "notes").isEmpty)
        #expect(sent(list) == ["GET http://a.b/api/notes"])

        let one = ScriptedHTTPClient(always: .response(200, #"{"id": "1", "text": "a"}"#))
        #expect(try await provider(one).find(Note.self, id: "1", in: "notes")?.text == "a")
        #expect(sent(one) == ["GET http://a.b/api/notes/1"])

        let insert = ScriptedHTTPClient(always: .response(201, ""))
        try await provider(insert).insert(Note(id: "1", text: "/é"), into: "notes")
        #expect(sent(insert) == [#"POST http://a.b/api/notes {"id":"1","text":"/é"}"#])

        let replace = ScriptedHTTPClient(always: .response(204, ""))
        try await provider(replace).replace(Note(id: "1"), in: "notes")
        #expect(sent(replace) == [#"PUT http://a.b/api/notes/1 {"id":"1","text":""}"#])

        let delete = ScriptedHTTPClient(always: .response(204, ""))
        try await provider(delete).delete(id: "1", from: "notes")
        #expect(sent(delete) == ["DELETE http://a.b/api/notes/1"])
    }

    @Test("Several changes are sent in one request with their encoded records")
    func together() async throws {
        let client = ScriptedHTTPClient(always: .response(204, ""))
        try await provider(client).apply([
            .insert(Note(id: "\"1\\", text: "}\n"), into: "notes"), .replace(Note(id: "2"), in: "other"),
            .delete(id: "é", from: "notes"),
        ])
        let inserted = #"{"collection":"notes","id":"\"1\\","op":"insert","record":{"id":"\"1\\","text":"}\n"}}"#
        let replaced = #"{"collection":"other","id":"2","op":"replace","record":{"id":"2","text":""}}"#
        let deleted = #"{"collection":"notes","id":"é","op":"delete"}"#
        #expect(sent(client) == ["PATCH http://a.b/api [\(inserted),\(replaced),\(deleted)]"])
    }

    @Test("Requests accept JSON, and a body is declared as JSON")
    func headers() async throws {
        let client = ScriptedHTTPClient(always: .response(204, ""))
        try await provider(client).replace(Note(id: "1"), in: "notes")
        try await provider(client).delete(id: "1", from: "notes")
        #expect(
            client.requests.map(\.headers) == [
                ["Accept": "application/json", "Content-Type": "application/json"], ["Accept": "application/json"],
            ])
    }

    @Test(
        "An id is percent-encoded into one path component",
        arguments: [
            ("a-Z_0~", "a-Z_0~"), (".", "%2E"), ("..", "%2E%2E"), ("a/b", "a%2Fb"), ("%2F", "%252F"), ("a b", "a%20b"),
            ("?#&=+;:@", "%3F%23%26%3D%2B%3B%3A%40"), ("\0\n\u{7F}", "%00%0A%7F"), ("caf\u{E9}", "caf%C3%A9"),
            ("cafe\u{301}", "cafe%CC%81"), ("🇩🇪", "%F0%9F%87%A9%F0%9F%87%AA"), ("\\", "%5C"),
        ])
    func encoded(id: String, step: String) async throws {
        let client = ScriptedHTTPClient(always: .response(404, ""))
        #expect(try await provider(client).find(Note.self, id: id, in: "notes") == nil)
        #expect(sent(client) == ["GET http://a.b/api/notes/\(step)"])
    }

    @Test(
        "A collection is appended to the base URL with one slash",
        arguments: [
            ("http://a.b", "http://a.b/notes"), ("http://a.b/", "http://a.b/notes"),
            ("https://u:p@a.b:80/x//", "https://u:p@a.b:80/x/notes"),
        ])
    func base(url: String, collection: String) async throws {
        let client = ScriptedHTTPClient(always: .response(200, "[]"))
        _ = try await provider(client, at: url).all(Note.self, in: "notes")
        #expect(sent(client) == ["GET \(collection)"])
    }

    @Test(
        "An invalid base URL is refused without revealing its secrets",
        arguments: ["", "a.b", "ftp://a.b", "http:", "http://u:secret@a.b?secret", "http://a.b/#secret"])
    func invalidBaseURL(url: String) {
        let error = #expect(throws: ViperError.self) { try RecordServer(baseURL: url) }
        #expect(error?.code == .httpRequestInvalid)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("Invalid names, empty ids and empty batches send no request")
    func noRequest() async throws {
        let client = ScriptedHTTPClient(always: .response(500, ""))
        let provider = try provider(client)
        #expect(try await provider.find(Note.self, id: "", in: "notes") == nil)
        try await provider.apply([])
        for call in [
            { _ = try await provider.all(Note.self, in: "../notes") },
            { _ = try await provider.find(Note.self, id: "1", in: "No Name") },
            { try await provider.insert(Note(id: ""), into: "notes") },
            { try await provider.apply([.insert(Note(id: "1"), into: "notes"), .delete(id: "1", from: "")]) },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: ViperError.self) { try await call() }
            #expect(error?.code == .recordInvalid)
        }
        #expect(client.requests.isEmpty)
    }
}

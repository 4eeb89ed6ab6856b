import Testing
import ViperKit

struct HTTPRequestTests {
    @Test(
        "the address shows no user, password, query or fragment",
        arguments: [
            ("http://a.b/c", "http://a.b/c"),
            ("http://user:pass@a.b:80/c/d?token=1#x", "http://a.b:80/c/d"),
            ("http://user:p@ss@a.b", "http://a.b"),
            ("http://a.b?x@y", "http://a.b"),
            ("http://a.b/x@y", "http://a.b/x@y"),
            ("file:/etc", "file:/etc"),
            ("", ""),
        ])
    func address(url: String, address: String) {
        #expect(HTTPRequest(method: "GET", url: url).address == address)
    }
}

struct HTTPClientTests {
    private struct Answering: HTTPClient {
        let response: HTTPResponse
        func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse { response }
    }

    private func fetch(_ status: Int, _ body: String) async throws(ViperError) -> HTTPResponse {
        let client = Answering(response: HTTPResponse(status: status, headers: [:], body: [UInt8](body.utf8)))
        return try await client.fetch(HTTPRequest(method: "GET", url: "http://a.b/c?secret"))
    }

    @Test("a status of 2xx is a success", arguments: [200, 204, 299])
    func success(status: Int) async throws {
        #expect(try await fetch(status, "x").status == status)
    }

    @Test("another status is an error with the body's beginning", arguments: [199, 300, 404, 503])
    func failure(status: Int) async {
        let error = await #expect(throws: ViperError.self) {
            _ = try await fetch(status, "no" + String(repeating: "x", count: 1000))
        }
        #expect(error?.code == .httpStatus)
        #expect(error?.summary == "cannot GET \"http://a.b/c\": the server answered \(status)")
        #expect(error?.notes.first?.text == "no" + String(repeating: "x", count: 198))
    }
}

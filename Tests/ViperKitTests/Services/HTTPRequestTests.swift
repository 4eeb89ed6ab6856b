import Testing
import ViperKit

struct HTTPRequestTests {
    @Test(
        "A request's address omits user, password, query and fragment",
        arguments: [
            ("http://a.b/c", "http://a.b/c"),
            ("http://user:pass@a.b:80/c/d?token=1#x", "http://a.b:80/c/d"),
            ("http://user:p@ss@a.b", "http://a.b"),
            ("http://a.b?x@y", "http://a.b"),
            ("http://a.b/x@y", "http://a.b/x@y"),
            ("http://[::1]:80/x", "http://[::1]:80/x"),
            ("http://ada:ge/heim@a.b/x", "http://ada"),
            ("http://ada:ge#heim@a.b/x", "http://ada"),
            ("ada:geheim@a.b/x", "(no URL)"),
            ("http:/ada:geheim@a.b/x", "(no URL)"),
            ("https:///ada:geheim@a.b/x", "(no URL)"),
            ("ada:geheim", "(no URL)"),
            ("", "(no URL)"),
            ("example.org:80/api?token=1", "example.org:80/api"),
        ])
    func address(url: String, address: String) {
        #expect(HTTPRequest(method: "GET", url: url).redactedURL == address)
    }
}

struct HTTPSecretsTests {
    @Test("Descriptions and dumps of requests and responses hide headers, bodies and URL secrets")
    func hidden() {
        var request = HTTPRequest(method: "POST", url: "http://ada:s3cret@a.b/c?s3cret")
        request.headers = ["Authorization": "s3cret"]
        request.body = Array("s3cret".utf8)
        let response = HTTPResponse(status: 200, headers: ["X": "s3cret"], body: Array("s3cret".utf8))
        for value in [request, response] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            let bytes = "\(Array("s3cret".utf8))"
            for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
                #expect(!text.contains("s3cret") && !text.contains(bytes) && !text.contains("115"))
            }
        }
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

    @Test("A 2xx status is a success", arguments: [200, 204, 299])
    func success(status: Int) async throws {
        #expect(try await fetch(status, "x").status == status)
    }

    @Test("Any other status throws an error with the start of the body", arguments: [199, 300, 404, 503])
    func failure(status: Int) async {
        let error = await #expect(throws: ViperError.self) {
            _ = try await fetch(status, "no" + String(repeating: "x", count: 1000))
        }
        #expect(error?.code == .httpStatusUnexpected)
        #expect(error?.summary == "cannot GET \"http://a.b/c\": the server responded with status \(status)")
        #expect(error?.notes.first?.text == "no" + String(repeating: "x", count: 198))
    }
}

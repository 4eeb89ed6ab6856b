import TestSupport
import Testing
import ViperKit
import ViperTesting

@Suite(.fewAtOnce)
struct FakeServicesTests {
    @Test("A scripted client answers in order, repeats the last answer and records its requests")
    func client() async throws {
        let client = ScriptedHTTPClient(["GET /a?b=c": [.failure("of the test"), .response(404, "no")]])
        let request = HTTPRequest(method: "GET", url: "http://u:p@test:80/a?b=c")
        let failure = ViperError(
            .httpFailed, operation: "cannot GET", subject: "http://test:80/a", cause: "of the test")
        await #expect(throws: failure) { try await client.send(request) }
        for _ in 1...2 {
            #expect(try await client.send(request) == HTTPResponse(status: 404, headers: [:], body: Array("no".utf8)))
        }
        #expect(client.requests.map(\.method) == ["GET", "GET", "GET"])
    }

    // A misspelled path in a test must not look like a network failure.
    @Test("A request without a scripted answer is reported at the line that created the client")
    func unscripted() async throws {
        let issues = try await Mistake.unscriptedRequest.issues()
        #expect(issues.map(\.text) == ["the test provides no response to POST /"])
        #expect(issues.first?.line == #"let client = ScriptedHTTPClient(["POST /": []])"#)
    }

    @Test("A scripted client can give every request the same response or error")
    func always() async throws {
        let client = ScriptedHTTPClient(always: .response(201, "a"))
        for (method, url) in [("GET", "http://test/a"), ("POST", "http://test"), ("POST", "http://test")] {
            #expect(try await client.send(HTTPRequest(method: method, url: url)).status == 201)
        }
        #expect(client.requests.map(\.method) == ["GET", "POST", "POST"])
        let headers: HTTPHeaders = ["Set-Cookie": "a", "Set-Cookie": "b"]
        let cookies = ScriptedHTTPClient(always: .response(200, "", headers: headers))
        #expect(try await cookies.send(HTTPRequest(method: "GET", url: "http://test")).headers == headers)
        let error = ViperError(
            .httpFailed, operation: "cannot GET", subject: "x", cause: "of the test", fix: "fix the test")
        let failing = ScriptedHTTPClient(always: .error(error))
        await #expect(throws: error) { try await failing.send(HTTPRequest(method: "GET", url: "http://test")) }
    }
}

import Foundation
import FoundationNetworking
import Testing
import ViperKit

@testable import URLSessionClient

/// What is checked before anything is sent.
struct RequestTests {
    private func refusal(_ change: (inout HTTPRequest) -> Void) -> ViperError? {
        var request = HTTPRequest(method: "GET", url: "http://example.org/secret/path?key=secret")
        change(&request)
        do throws(ViperError) {
            _ = try request.checked()
            return nil
        } catch {
            return error
        }
    }

    @Test("a request that is well goes on as it is")
    func good() throws {
        var request = HTTPRequest(method: "POST", url: "HTTP://user:pass@example.org:8080/a%20b?c=d#e")
        request.headers = ["X-One": "1\t2", "Accept": ""]
        request.body = [1, 2, 3]
        let checked = try request.checked()
        #expect(checked.url?.absoluteString == request.url)
        #expect(checked.httpMethod == "POST")
        #expect(checked.httpBody == Data([1, 2, 3]))
        #expect(checked.value(forHTTPHeaderField: "x-one") == "1\t2")
    }

    @Test(
        "what is no absolute URL of http or https is refused",
        arguments: [
            "", "x", "/todos", "//example.org/", "example.org", "http:", "http://", "http:///x", "http:x",
            "http://a b/",
            "http://example.org/\r\nHost: x", "http://example.org/\u{0}", "http://exämple.org/",
            "http://example.org:x/",
            "http://example.org:0/", "http://example.org:65536/", "http://example.org:-1/", "http://[::1/",
            "http://[::1]/", "ftp://example.org/", "file:///etc/passwd", "javascript:x", "http://%/",
            "http://example.org/%", " http://example.org/",
        ])
    func badURL(_ url: String) {
        #expect(refusal { $0.url = url }?.code == .httpRequest)
    }

    @Test("what is no method is refused", arguments: ["", " ", "GE T", "GET\r\nX: y", "GET\u{0}", "GÉT", "GET/"])
    func badMethod(_ method: String) {
        #expect(refusal { $0.method = method }?.cause == "its method is no HTTP method")
    }

    @Test(
        "no header smuggles another one in",
        arguments: [
            ["": "x"], ["X Y": "x"], ["X:": "x"], ["X\r\nY": "x"], ["É": "x"], ["X": "a\r\nY: b"], ["X": "a\nY: b"],
            ["X": "a\u{0}b"], ["X": "a\u{7f}"], ["x": "1", "X": "2"], ["Content-Length": "5"],
            ["transfer-encoding": "chunked"],
        ] as [[String: String]])
    func badHeader(_ headers: [String: String]) {
        #expect(refusal { $0.headers = headers }?.code == .httpRequest)
    }

    @Test("limits that nothing can meet are refused", arguments: [0, -1, .nan, -.infinity] as [Double])
    func badTime(_ limit: Double) {
        #expect(refusal { $0.timeLimit = limit }?.cause == "its limits are not positive")
        #expect(refusal { $0.sizeLimit = -1 }?.cause == "its limits are not positive")
        #expect(refusal { $0.timeLimit = .infinity } == nil)
    }

    @Test("a body is refused where the method has none", arguments: ["GET", "get", "HEAD"])
    func body(_ method: String) {
        #expect(refusal { ($0.method, $0.body) = (method, [1]) }?.cause == "\(method) has no body")
        #expect(refusal { ($0.method, $0.body) = (method, []) } == nil)
    }

    @Test("a refusal names the address, and neither query nor header nor body")
    func secrets() throws {
        let error = try #require(refusal { $0.headers = ["Authorization": "secret-token\n"] })
        #expect(error.subject == "http://example.org/secret/path")
        #expect(!error.description.contains("secret-token") && !error.description.contains("key="))
    }

    private static func redirect(_ method: String = "GET", from: String, to location: String) throws -> Redirect {
        var request = URLRequest(url: try #require(URL(string: from)))
        request.httpMethod = method
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("secret", forHTTPHeaderField: "X-Key")
        request.setValue("a/b", forHTTPHeaderField: "Accept")
        let url = try #require(request.url)
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": location]))
        return Redirect(from: request, by: response, to: request)
    }

    @Test(
        "a redirect leads where its location says, seen from the address before",
        arguments: [
            ("x", "http://a.org/b/x"), ("/x?y", "http://a.org/x?y"), ("?y", "http://a.org/b/c?y"),
            ("http://a.org/", "http://a.org/"), ("../x", "http://a.org/x"),
        ])
    func redirects(location: String, url: String) throws {
        guard case .follow(let next) = try Self.redirect(from: "http://a.org/b/c", to: location) else {
            Issue.record("\(location) is refused")
            return
        }
        #expect(next.url?.absoluteString == url)
        #expect(next.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
        #expect(next.httpMethod == "GET")
    }

    @Test(
        "no header of the request but Accept goes to another origin",
        arguments: ["http://b.org/", "//b.org/b/c", "https://a.org/", "http://a.org:8080/", "http://a.org@b.org/"])
    func otherOrigin(_ location: String) throws {
        guard case .follow(let next) = try Self.redirect(from: "http://a.org/b/c", to: location) else {
            Issue.record("\(location) is refused")
            return
        }
        #expect(next.allHTTPHeaderFields == ["Accept": "a/b"])
    }

    @Test("a redirect to another scheme is not followed", arguments: ["ftp://b.org/", "file:///x", "http:///x"])
    func otherScheme(_ location: String) throws {
        guard case .refuse(let cause) = try Self.redirect(from: "http://a.org/", to: location) else {
            Issue.record("\(location) is followed")
            return
        }
        #expect(cause == "it redirects to what is no address of http or https")
    }
}

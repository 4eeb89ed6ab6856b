import Testing
import ViperKit

@testable import CurlClient

/// The checks of a request before it is sent.
struct RequestTests {
    private func refusal(_ change: (inout HTTPRequest) -> Void) -> ViperError? {
        var request = HTTPRequest(method: "GET", url: "http://example.org/secret/path?key=secret")
        change(&request)
        do throws(ViperError) {
            try request.check()
            return nil
        } catch {
            return error
        }
    }

    @Test("A valid request passes the checks")
    func good() throws {
        var request = HTTPRequest(method: "POST", url: "HTTP://user:pass@example.org:8080/a%20b?c=file:///d#e")
        request.headers = ["X-One": "1\t2", "Accept": ""]
        request.body = [1, 2, 3]
        try request.check()
    }

    @Test(
        "A URL that is not absolute http or https is refused",
        arguments: [
            "", "x", "/todos", "//example.org/", "example.org", "http:", "http://", "http:///x", "http:x",
            "http://a b/",
            "http://example.org/\r\nHost: x", "http://example.org/\u{0}", "http://exämple.org/",
            "http://example.org:x/",
            "http://example.org:0/", "http://example.org:65536/", "http://example.org:-1/", "http://[::1/",
            "ftp://example.org/", "file:///etc/passwd", "javascript:x", "http://%/",
            " http://example.org/",
        ])
    func badURL(_ url: String) {
        #expect(refusal { $0.url = url }?.code == .httpRequestInvalid)
    }

    @Test("An invalid method is refused", arguments: ["", " ", "GE T", "GET\r\nX: y", "GET\u{0}", "GÉT", "GET/"])
    func badMethod(_ method: String) {
        #expect(refusal { $0.method = method }?.cause == "its method is not an HTTP method")
    }

    @Test(
        "An invalid or reserved header and a second Host header are refused",
        arguments: [
            ["": "x"], ["X Y": "x"], ["X:": "x"], ["X\r\nY": "x"], ["É": "x"], ["X": "a\r\nY: b"], ["X": "a\nY: b"],
            ["X": "a\u{0}b"], ["X": "a\u{7f}"], ["host": "a", "Host": "b"], ["Content-Length": "5"],
            ["transfer-encoding": "chunked"],
        ] as [HTTPHeaders])
    func badHeader(_ headers: HTTPHeaders) {
        #expect(refusal { $0.headers = headers }?.code == .httpRequestInvalid)
    }

    @Test("Limits that are not positive are refused", arguments: [.zero, .seconds(-1)] as [Duration])
    func badTime(_ limit: Duration) {
        #expect(refusal { $0.timeLimit = limit }?.cause == "its time limit or size limit is out of range")
        #expect(refusal { $0.sizeLimit = -1 }?.cause == "its time limit or size limit is out of range")
        #expect(refusal { $0.timeLimit = .seconds(Int64.max) } == nil)
    }

    @Test("A body is refused for a method without one", arguments: ["GET", "HEAD"])
    func body(_ method: String) {
        #expect(refusal { ($0.method, $0.body) = (method, [1]) }?.cause == "a \(method) request cannot have a body")
        #expect(refusal { ($0.method, $0.body) = (method, []) } == nil)
    }

    @Test("A refusal names the address without its query and headers")
    func secrets() throws {
        let error = try #require(refusal { $0.headers = ["Authorization": "secret-token\n"] })
        #expect(error.subject == "http://example.org/secret/path")
        #expect(!error.description.contains("secret-token") && !error.description.contains("key="))
    }

    private static func redirect(
        _ method: String = "GET", _ status: Int = 302, to location: String
    ) throws(ViperError) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: "http://a.org/b/c")
        request.headers = ["Authorization": "Bearer secret", "X-Key": "secret", "Accept": "a/b", "Content-Type": "c/d"]
        request.body = method == "GET" ? nil : [1]
        return try request.redirected(by: status, to: location)
    }

    @Test("A redirect within an origin keeps the headers", arguments: ["http://a.org/", "http://A.org:80/x?y"])
    func sameOrigin(location: String) throws {
        let next = try Self.redirect(to: location)
        #expect(next.url == location && next.method == "GET")
        #expect(next.headers["Authorization"] == "Bearer secret")
    }

    @Test(
        "A redirect to another origin keeps only the Accept header",
        arguments: ["http://b.org/", "https://a.org/", "http://a.org:8080/", "http://a.org@b.org/", "http://[::1]/"])
    func otherOrigin(_ location: String) throws {
        #expect(try Self.redirect(to: location).headers == ["Accept": "a/b"])
    }

    @Test(
        "A redirect that changes the method sends a GET without a body",
        arguments: [("POST", 301), ("POST", 302), ("POST", 303), ("PUT", 303), ("DELETE", 303)])
    func posted(method: String, status: Int) throws {
        let next = try Self.redirect(method, status, to: "http://a.org/d")
        #expect(next.method == "GET" && next.body == nil && next.headers["Content-Type"] == nil)
        #expect(next.headers["Authorization"] == "Bearer secret")
    }

    @Test("A redirect that would repeat a body is refused", arguments: [("POST", 307), ("POST", 308), ("PUT", 302)])
    func repeatedBody(method: String, status: Int) throws {
        let error = try #require(throws: ViperError.self) { try Self.redirect(method, status, to: "http://a.org/d") }
        #expect(error.cause == "it redirects a \(method), which cannot be sent twice")
    }

    @Test("A redirect from http to https is followed, and one from https to http is refused")
    func downgrade() throws {
        var request = HTTPRequest(method: "GET", url: "http://a.org/")
        request = try request.redirected(by: 302, to: "https://u:p@b.org/c?d=hidden")
        #expect(request.url == "https://u:p@b.org/c?d=hidden")
        for location in ["http://b.org/c", "HTTP://b.org:443/c"] {
            let error = try #require(throws: ViperError.self) { try request.redirected(by: 302, to: location) }
            #expect(error.cause == "it redirects from https to http, which is not encrypted")
            #expect(error.subject == "https://b.org/c" && !error.description.contains("hidden"))
        }
    }

    @Test("A redirect to another scheme is refused", arguments: ["ftp://b.org/", "file:///x", "x", ""])
    func otherScheme(_ location: String) throws {
        let error = try #require(throws: ViperError.self) { try Self.redirect(to: location) }
        #expect(error.cause == "it redirects to a URL that is not http or https")
    }
}

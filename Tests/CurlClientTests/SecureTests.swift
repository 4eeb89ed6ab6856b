import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import CurlClient

/// The client between https servers and plain http servers.
@Suite(.fewAtOnce, .hangLimit)
struct SecureTests {
    private let secure: TestServer
    private let plain: TestServer
    private let client: CurlClient

    init() async throws {
        (secure, plain) = (try await TestServer("trouble", isSecure: true), try await TestServer("trouble"))
        client = try CurlClient(Authorities(file: TestServer.certificate))
    }

    private func request(_ url: String) -> HTTPRequest {
        var request = HTTPRequest(method: "GET", url: url)
        request.headers = ["Authorization": "Bearer secret", "Cookie": "a=secret", "Accept-Language": "eo"]
        request.timeLimit = Patience.limit
        return request
    }

    private func text(_ url: String) async throws(ViperError) -> String {
        String(decoding: try await client.send(request(url)).body, as: UTF8.self)
    }

    @Test(
        "A redirect from https to http is refused before a request is sent, also after a redirect from http"
    )
    func downgrade() async throws {
        let back = "\(secure.url)/redirect?to=\(plain.url)/echo"
        let refusal = ViperError(
            .httpFailed, operation: "cannot GET", subject: "\(secure.url)/redirect",
            cause: "it redirects from https to http, which is not encrypted",
            notes: [.init("redirects to", "\(plain.url)/echo")],
            fix:
                "make the server redirect to https, or request the http URL if nothing needs to be secret")
        await #expect(throws: refusal) { try await text(back) }
        #expect(plain.requests.isEmpty)
        let wayRound = "\(plain.url)/redirect?to=\(back.replacing("?", with: "%3F").replacing("=", with: "%3D"))"
        await #expect(throws: refusal) { try await text(wayRound) }
        #expect(plain.requests.count == 1)
    }

    @Test("A redirect from http to https is followed without secret headers")
    func upgrade() async throws {
        let echo = try await text("\(plain.url)/redirect?to=\(secure.url)/echo")
        #expect(echo.hasPrefix("GET /echo\n") && echo.contains("accept-language: eo\n"), "\(echo)")
        #expect(!echo.contains("secret"), "\(echo)")
    }

    @Test(
        "A redirect within an https server keeps the headers, and one to another server only Accept headers")
    func origins() async throws {
        let same = try await text("\(secure.url)/redirect?to=/echo")
        #expect(same.contains("authorization: Bearer secret\n") && same.contains("cookie: a=secret\n"), "\(same)")
        let other = try await TestServer("trouble", isSecure: true)
        let away = try await text("\(secure.url)/redirect?to=\(other.url)/echo")
        #expect(away.contains("accept-language: eo\n") && !away.contains("secret"), "\(away)")
    }

    @Test("A server with an untrusted certificate receives no request")
    func untrusted() async throws {
        let error = await #expect(throws: ViperError.self) {
            try await CurlClient(Authorities()).send(request("\(secure.url)/echo"))
        }
        #expect(error?.cause == "the server's certificate cannot be verified")
        let unreadable = await #expect(throws: ViperError.self) {
            try await CurlClient(Authorities(file: "/nonexistent.pem")).send(request("\(secure.url)/echo"))
        }
        #expect(unreadable?.cause == "the trusted certificates cannot be read", "\(String(describing: unreadable))")
        #expect(secure.requests.isEmpty)
    }
}

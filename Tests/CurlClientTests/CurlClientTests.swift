import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import CurlClient

/// The client against a server that simulates failures.
@Suite(.fewAtOnce, .hangLimit)
struct CurlClientTests {
    private let server: TestServer
    private let client: CurlClient

    init() async throws { (server, client) = (try await TestServer("trouble"), try CurlClient()) }

    private func request(_ path: String, _ method: String = "GET") -> HTTPRequest {
        var request = HTTPRequest(method: method, url: server.url + path)
        request.timeLimit = Patience.limit
        return request
    }

    private func failure(_ request: HTTPRequest) async -> ViperError? {
        do throws(ViperError) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("Method, headers and body arrive unchanged", arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"])
    func echo(_ method: String) async throws {
        var request = request("/echo?a=b", method)
        request.headers = ["X-One": "1, \t2", "Accept": "text/plain", "X-Empty": ""]
        request.body = Array("héllo".utf8)
        let response = try await client.send(request)
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/plain")
        let text = String(decoding: response.body, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(method) /echo?a=b")
        #expect(lines.last == "héllo")
        for line in ["x-one: 1, \t2", "accept: text/plain", "x-empty: ", "content-length: 6"] {
            #expect(lines.contains(line), "\(text)")
        }
    }

    @Test("Every status returns a response with body", arguments: [200, 201, 299, 300, 400, 401, 404, 418, 500, 599])
    func status(_ code: Int) async throws {
        let response = try await client.send(request("/status?code=\(code)&text=why"))
        #expect(response.status == code)
        #expect(response.body == Array("why".utf8))
    }

    @Test("A 401 response is returned with its challenge and body", arguments: ["Basic", "Digest", "Bearer"])
    func challenge(_ scheme: String) async throws {
        let response = try await client.send(request("/challenge?scheme=\(scheme)"))
        #expect(response.status == 401)
        #expect(response.headers["www-authenticate"] == "\(scheme) realm=\"x\"")
        #expect(response.body == Array("who are you".utf8))
    }

    @Test(
        "A response without a body has an empty body",
        arguments: [("/empty", 200), ("/no-content", 204), ("/not-modified", 304)])
    func noBody(path: String, status: Int) async throws {
        let response = try await client.send(request(path))
        #expect(response.status == status)
        #expect(response.body.isEmpty)
    }

    @Test("HEAD returns the content length without a body, regardless of the size limit")
    func head() async throws {
        var request = request("/size?bytes=1000000", "HEAD")
        request.sizeLimit = 10
        let response = try await client.send(request)
        #expect(response.headers["content-length"] == "1000000")
        #expect(response.body.isEmpty)
    }

    @Test(
        "Every framing and encoding returns the complete body",
        arguments: [
            ("/chunked", "onetwo"), ("/until-close", "until the line closes"), ("/less", "only"),
            ("/gzip?bytes=20", "xxxxxxxxxxxxxxxxxxxx"), ("/early-hints", "xx"),
        ])
    func bodies(path: String, text: String) async throws {
        let response = try await client.send(request(path))
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == text)
    }

    @Test(
        "A truncated or malformed response is an error",
        arguments: [
            ("/promise?bytes=1000", "the response is incomplete"), ("/chunked-cut", "the response is incomplete"),
            ("/nothing", "the response is incomplete"), ("/header-cut", "the response is incomplete"),
            ("/header-cut?after=HTTP/1", "the response is incomplete"),
            ("/chunked-garbage", "the response is incomplete or damaged"),
            ("/gzip-garbage", "no complete response arrived"),
            ("/header-flood", "the response is incomplete or damaged"), ("/garbage", "no complete response arrived"),
            ("/bad-status", "no complete response arrived"), ("/bad-header", "no complete response arrived"),
        ])
    func broken(path: String, cause: String) async throws {
        let error = try #require(await failure(request(path)))
        #expect(error.code == .httpFailed)
        #expect(error.cause == cause)
        // libcurl accepts this response, and so has no error message.
        #expect(error.notes.first?.label == (path == "/header-cut" ? nil : "libcurl says"))
    }

    @Test("Headers of 100 KB are accepted")
    func largeHeader() async throws {
        let response = try await client.send(request("/headers?count=100"))
        #expect(response.headers["x-99"]?.count == 1000)
    }

    @Test("A body as large as the size limit is accepted, and a larger one is an error")
    func size() async throws {
        var exact = request("/size?bytes=100000")
        exact.sizeLimit = 100_000
        #expect(try await client.send(exact).body.count == 100_000)
        for path in ["/size?bytes=100001", "/gzip?bytes=100001", "/flood", "/promise?bytes=100001"] {
            var request = request(path)
            request.sizeLimit = 100_000
            #expect(await failure(request)?.cause == "the response is larger than 100000 bytes", "\(path)")
        }
    }

    @Test("The time limit applies to the whole response", arguments: ["/slow", "/drip"])
    func time(_ path: String) async throws {
        var request = request(path + "?secret=1")
        request.timeLimit = .milliseconds(200)
        #expect(
            await failure(request)
                == ViperError(
                    .httpFailed, operation: "cannot GET", subject: server.url + path,
                    cause: "it took longer than 0.2 seconds",
                    fix: "retry, or increase the request's timeLimit"))
    }

    @Test("A refused connection, an unknown host and https to a plain http server are errors")
    func noConnection() async throws {
        let error = try #require(await failure(HTTPRequest(method: "GET", url: "http://u:p@127.0.0.1:1/x?secret")))
        #expect(error.code == .httpFailed)
        #expect(error.summary == "cannot GET \"http://127.0.0.1:1/x\": no connection")
        #expect(error.fix == "check host and port, and that the server is running")
        #expect(!error.description.contains("secret"))
        let unknown = await failure(HTTPRequest(method: "GET", url: "http://nobody.invalid/"))
        #expect(unknown?.cause == "no connection: the host name cannot be resolved")
        // https to a server that speaks plain http.
        var secure = request("/echo")
        secure.url = secure.url.replacing("http:", with: "https:")
        #expect(await failure(secure)?.code == .httpFailed)
    }

    @Test("Cancelling a task ends the call and closes the connection")
    func cancelled() async throws {
        let task = Task { await failure(request("/drip")) }
        try #require(await eventually { !server.requests.isEmpty })
        task.cancel()
        #expect(await task.value?.cause == "it was cancelled")
        // The server writes until it detects that the client has disconnected.
        #expect(try await eventually { try await client.send(request("/left")).body == Array("1".utf8) })
    }

    @Test("A task that is cancelled before it starts sends no request")
    func cancelledBefore() async throws {
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(request("/echo"))
        }.value
        #expect(error?.cause == "it was cancelled")
        _ = try await client.send(request("/empty"))
        #expect(server.requests == ["GET /empty"])
    }

    @Test("Fifty concurrent requests get their own responses")
    func many() async throws {
        try await withThrowingTaskGroup(of: (Int, HTTPResponse).self) { group in
            for number in 1...50 {
                group.addTask { (number, try await client.send(request("/size?bytes=\(number * 1000)"))) }
            }
            for try await (number, response) in group { #expect(response.body.count == number * 1000) }
        }
    }

    @Test("After requests that time out at random moments, a new request succeeds")
    func timeouts() async throws {
        let paths = [
            "/loop", "/size?bytes=300000", "/redirect?to=/echo", "/chunked", "/challenge?scheme=Basic", "/slow",
        ]
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    var request = request(paths[number % paths.count])
                    request.timeLimit = .microseconds(Int.random(in: 100...30_000))
                    _ = await failure(request)
                }
            }
        }
        #expect(try await client.send(request("/status?code=200&text=fine")).body == Array("fine".utf8))
    }

    @Test("After tasks that are cancelled at random moments, a new request succeeds")
    func cancelledTasks() async throws {
        let paths = ["/loop", "/size?bytes=300000", "/redirect?to=/echo", "/chunked", "/slow", "/drip"]
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                let task = Task { await failure(request(paths[number % paths.count])) }
                group.addTask {
                    for _ in 0..<Int.random(in: 0...200) { await Task.yield() }
                    task.cancel()
                    if let error = await task.value, number % paths.count > 3 {
                        #expect(error.cause == "it was cancelled")
                    }
                }
            }
        }
        #expect(try await client.send(request("/status?code=200&text=fine")).body == Array("fine".utf8))
    }

    @Test("A status other than a redirect is not followed despite its Location header")
    func noRedirect() async throws {
        let response = try await client.send(request("/redirect?code=304&to=/echo"))
        #expect(response.status == 304 && response.headers["location"] == "/echo")
    }

    @Test("A chain of redirects is followed, and a 303 response to a POST leads to a GET")
    func redirect() async throws {
        var moved = request("/redirect?to=/redirect?to=echo")
        moved.headers = ["Authorization": "Bearer secret"]
        let text = String(decoding: try await client.send(moved).body, as: UTF8.self)
        #expect(text.hasPrefix("GET /echo\n"))
        #expect(text.contains("authorization: Bearer secret\n"), "\(text)")
        var posted = request("/redirect?code=303&to=/echo", "POST")
        posted.body = Array("a=b".utf8)
        #expect(String(decoding: try await client.send(posted).body, as: UTF8.self).hasPrefix("GET /echo\n"))
    }

    @Test("A redirect without a Location header is returned as a response")
    func missingLocation() async throws {
        let response = try await client.send(request("/redirect-nowhere"))
        #expect(response.status == 302 && response.body == Array("xx".utf8))
    }

    @Test(
        "A malformed redirect address fails at most its own request",
        arguments: ["//[::1]/x", "//a%25b/x", "//[::1]:99999/x", "http://[::1/", ":x", "//"])
    func oddRedirect(location: String) async throws {
        do throws(ViperError) {
            _ = try await client.send(request("/redirect?to=\(location)"))
        } catch {
            #expect(error.code == .httpFailed)
        }
        #expect(try await client.send(request("/status?code=200&text=fine")).body == Array("fine".utf8))
    }

    @Test("The size limit applies to the body of a redirect")
    func redirectFlood() async throws {
        var request = request("/redirect-flood")
        request.sizeLimit = 100_000
        #expect(await failure(request)?.cause == "the response is larger than 100000 bytes")
    }

    @Test("Secret headers are not sent to another server")
    func otherServer() async throws {
        let other = try await TestServer("trouble")
        var moved = request("/redirect?to=\(other.url)/echo")
        moved.headers = ["Authorization": "Bearer secret", "X-Key": "secret", "Accept-Language": "eo"]
        let text = String(decoding: try await client.send(moved).body, as: UTF8.self)
        #expect(text.contains("accept-language: eo\n"))
        #expect(!text.contains("secret"), "\(text)")
    }

    @Test(
        "An endless redirect, an unsupported scheme and a redirected body are errors",
        arguments: [
            ("GET", "/loop", "it redirects too many times"),
            ("GET", "/redirect?to=ftp://127.0.0.1/x", "it redirects to a URL that is not http or https"),
            ("POST", "/redirect?code=307&to=/echo", "it redirects a POST, which cannot be sent twice"),
        ])
    func refusedRedirect(method: String, path: String, cause: String) async throws {
        let error = try #require(await failure(request(path, method)))
        #expect(error.code == .httpFailed)
        #expect(error.cause == cause)
    }

    @Test("Repeated header fields are sent and returned one by one, in order")
    func repeated() async throws {
        var request = request("/echo")
        request.headers = ["X-B": "1", "x-a": "2", "X-b": "3", "X-B": "1"]
        let text = String(decoding: try await client.send(request).body, as: UTF8.self)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("x-") } == ["x-b: 1", "x-a: 2", "x-b: 3", "x-b: 1"])
        let response = try await client.send(self.request("/cookies"))
        #expect(
            response.headers
                == ["Set-Cookie": "a=1, x", "X-One": "y", "set-cookie": "b=2", "Set-Cookie": "", "Content-Length": "0"])
        #expect(response.headers.map(\.name)[2] == "set-cookie")
        #expect(response.headers.values(of: "set-cookie") == ["a=1, x", "b=2", ""])
    }

    @Test("A response has only the header fields of the last response, without those of redirects and hints")
    func lastHeaders() async throws {
        let response = try await client.send(request("/redirect?to=/cookies"))
        #expect(response.headers.map(\.value) == ["a=1, x", "y", "b=2", "", "0"])
        #expect(try await client.send(request("/early-hints")).headers == ["Content-Length": "2"])
    }

    @Test("Cookies are not stored")
    func cookies() async throws {
        #expect(try await client.send(request("/cookies")).headers["set-cookie"] == "a=1, x")
        #expect(!String(decoding: try await client.send(request("/echo")).body, as: UTF8.self).contains("cookie"))
    }
}

import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import Account

/// The service `session`, as other modules use it.
@MainActor
struct SessionClientTests {
    private let store = FakeStore(
        Credential(
            user: "sessions",
            secret: """
                [{"identity":"a","server":"http://x/api","token":"t0ken","userName":"ada"},
                 {"identity":"b","server":"http://x/api","token":"0ther","userName":"bob"},
                 {"identity":"old","token":"0ld","userName":"eve"}]
                """))

    private func host(_ server: ScriptedHTTPClient) throws -> TestHost {
        try TestHost(AccountModule.self, manifest: "account.json") { services in
            services.provide(.httpClient, server)
            services.provide(.json, FoundationJSONCoder())
            services.provide(.configuration, Configuration(["baseURL": .string("http://x/api")]))
            services.provide(.credentialStore, store)
        }
    }

    /// Returns the names of the users who are logged in.
    private func users(_ session: SessionService, _ identities: String...) async throws -> [String?] {
        var names: [String?] = []
        for identity in identities { names.append(try await session(identity)?.userName) }
        return names
    }

    private func get(_ url: String) -> HTTPRequest { HTTPRequest(method: "GET", url: url) }

    @Test("The client of an identity adds its token, and others have no client")
    func token() async throws {
        let server = ScriptedHTTPClient(always: .response(200, "[]"))
        let session = try await host(server).provided(.session)
        let (ada, bob) = (try #require(try await session("a")), try #require(try await session("b")))
        #expect(try await users(session, "a", "b", "c", "") == ["ada", "bob", nil, nil])
        _ = try await ada.client.send(get("http://x/api/todos"))
        _ = try await bob.client.send(get("http://x/api"))
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer t0ken", "Bearer 0ther"])
    }

    @Test(
        "A token is sent only to the server that has issued it, and replaces no other one",
        arguments: [
            "http://x/apis", "http://x/", "https://x/api/todos", "http://x/api@y/todos", "http://x/api.example.org/",
            "http://y/api/todos", "http://y/http://x/api/todos",
        ])
    func otherServer(url: String) async throws {
        let server = ScriptedHTTPClient(always: .response(401, ""))
        let session = try await host(server).provided(.session)
        let ada = try #require(try await session("a"))
        #expect(try await ada.client.send(get(url)).status == 401)
        var own = get("http://x/api/todos")
        own.headers["authorization"] = "Basic dTpw"
        _ = try await ada.client.send(own)
        _ = try await session("old")?.client.send(get("http://x/api/todos"))
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil, "Basic dTpw"])
        // These responses end no session.
        #expect(try await users(session, "a", "old") == ["ada", nil])
    }

    @Test("A 401 ends the session of its identity only, and the guard closes the scenes of this identity")
    func ended() async throws {
        let server = ScriptedHTTPClient(always: .response(401, "no"))
        let host = try host(server)
        let session = try await host.provided(.session)
        var revocations = try await host.provided(.routeGuard).revocations().makeAsyncIterator()
        let ada = try #require(try await session("a"))
        let response = try await ada.client.send(get("http://x/api/todos"))
        #expect(response.status == 401 && response.body == Array("no".utf8))
        #expect(try await users(session, "a", "b") == [nil, "bob"])
        let error = await #expect(throws: ViperError.self) {
            try await ada.client.send(get("http://x/api/todos?id=s3cret"))
        }
        #expect(
            error?.summary == #"cannot GET "http://x/api/todos": the session of ada has ended"#
                && error?.fix == "log in again")
        #expect(server.requests.count == 1 && store.current?.secret.contains("t0ken") == false)
        #expect(
            await revocations.next() == Revocation(identity: "a", reason: "the server has ended your session"))
    }

    @Test("A late 401 does not end the next session of the same identity")
    func lateResponse() async throws {
        let sessions = AccountSessions(store: store, json: FoundationJSONCoder(), server: nil)
        let first = try #require(try await sessions.session(of: "a"))
        var next = first
        next.token = "next"
        try await sessions.begin(next)
        try await sessions.end(first, because: "it is over")
        #expect(try await sessions.session(of: "a") == next)
    }

    @Test("A response that quotes the token is emptied, because errors quote such responses")
    func quoted() async throws {
        let server = ScriptedHTTPClient([
            "GET /api/quote": [.response(500, "you sent Bearer t0ken")], "GET /api/other": [.response(500, "sorry")],
        ])
        let session = try await host(server).provided(.session)
        let ada = try #require(try await session("a"))
        for (path, notes) in [("quote", []), ("other", [ViperError.Note("response", "sorry")])] {
            let error = await #expect(throws: ViperError.self) {
                try await ada.client.fetch(get("http://x/api/\(path)"))
            }
            #expect(error?.code == .httpStatusUnexpected && error?.notes == notes)
        }
    }

    @Test("No value that other modules hold shows the token")
    func secret() async throws {
        let server = ScriptedHTTPClient(always: .response(200, ""))
        let session = try await host(server).provided(.session)
        let ada = try #require(try await session("a"))
        _ = try await ada.client.send(get("http://x/api/todos"))
        var dumped = ""
        dump(ada, to: &dumped)
        dump(server.requests, to: &dumped)
        #expect(dumped.contains("SessionClient") && !dumped.contains("t0ken"), "\(dumped)")
        #expect(!"\(ada)".contains("t0ken"))
    }
}

import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import Account

struct AccountAPIDataManagerTests {
    private func manager(_ server: ScriptedHTTPClient, at url: String = "http://x/api") throws -> AccountAPIDataManager
    {
        try AccountAPIDataManager(baseURL: url, client: server, json: FoundationJSONCoder())
    }

    private func failure(_ server: ScriptedHTTPClient) async throws -> ViperError {
        let error = try await #require(throws: ViperError.self) {
            try await manager(server).token(userName: "ada", password: "lovelace")
        }
        #expect(!"\(error)".contains("lovelace"))
        return error
    }

    @Test(
        "The token request is a POST of user name and password as JSON",
        arguments: ["http://x/api", "http://x/api/", "http://x/api///"])
    func token(url: String) async throws {
        let server = ScriptedHTTPClient(always: .response(200, #"{"token": "t", "more": 1}"#))
        #expect(try await manager(server, at: url).token(userName: "a\"da", password: "名\n") == "t")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.url == "http://x/api/login" && server.requests.count == 1)
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(String(decoding: request.body ?? [], as: UTF8.self) == #"{"password":"名\n","userName":"a\"da"}"#)
    }

    @Test(
        "An invalid base URL is refused without revealing its secrets",
        arguments: ["", "x", "ftp://x", "http:", "http://", "http://u:secret@x?secret", "http://x/#secret"])
    func invalidBaseURL(url: String) {
        let error = #expect(throws: ViperError.self) {
            try manager(ScriptedHTTPClient(always: .response(200, "")), at: url)
        }
        #expect(error?.code == .httpRequestInvalid && error?.operation == "cannot use base URL")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("Status 401 or 403 reports a wrong user name or password", arguments: [401, 403])
    func refused(status: Int) async throws {
        let error = try await failure(ScriptedHTTPClient(always: .response(status, "no lovelace here")))
        #expect(error.code == .loginRefused)
        #expect(error.summary == "cannot log in as \"ada\": the user name or the password is wrong")
    }

    @Test(
        "Any other status is reported without the response body", arguments: [201, 204, 302, 400, 404, 429, 500])
    func status(status: Int) async throws {
        let error = try await failure(ScriptedHTTPClient(always: .response(status, #"{"token": "lovelace"}"#)))
        #expect(
            error
                == ViperError(
                    .httpStatusUnexpected, operation: "cannot log in as", subject: "ada",
                    cause: "the server responded with status \(status)"))
    }

    @Test(
        "A response without a valid token is reported without its content",
        arguments: [
            "", "lovelace", "{}", "{\"token\": null}", "{\"token\": \"\"}", "{\"token\": [\"lovelace\"]}",
            "{\"token\": \"lovel", "{\"lovelace\": 1, \"lovelace\": 2}", "[\"token\"]", "<html>lovelace</html>",
        ])
    func garbage(answer: String) async throws {
        let error = try await failure(ScriptedHTTPClient(always: .response(200, answer)))
        #expect(
            error
                == ViperError(
                    .jsonInvalid, operation: "cannot log in as", subject: "ada",
                    cause: "the server's response has no token"))
    }

    @Test("An error of the HTTP client is passed on")
    func unreachable() async throws {
        let error = ViperError(
            .httpFailed, operation: "cannot POST", subject: "http://x/api/login", cause: "no connection")
        #expect(try await failure(ScriptedHTTPClient(always: .error(error))) == error)
    }
}

struct AccountSessionsTests {
    private func sessions(_ store: FakeStore) -> AccountSessions {
        AccountSessions(store: store, json: FoundationJSONCoder())
    }

    private func manager(of sessions: AccountSessions, _ identity: String) -> AccountLocalDataManager {
        AccountLocalDataManager(sessions: sessions, identity: identity, server: nil)
    }

    private func manager(_ store: FakeStore, _ identity: String = "") -> AccountLocalDataManager {
        AccountLocalDataManager(sessions: sessions(store), identity: identity, server: nil)
    }

    @Test("Each identity has its own session, which later hosts find until it ends")
    func keeping() async throws {
        let store = FakeStore()
        #expect(try await manager(store, "a").userName() == nil)
        try await manager(store, "a").keep(userName: "ada", token: "t")
        try await manager(store, "b").keep(userName: "bob", token: "u")
        #expect(try await manager(store, "a").userName() == "ada")
        #expect(try await manager(store, "b").userName() == "bob")
        #expect(try await manager(store, "").userName() == nil)
        try await manager(store, "a").keep(userName: "ann", token: "v")
        try await manager(store, "b").forget()
        #expect(try await manager(store, "a").userName() == "ann")
        #expect(try await manager(store, "b").userName() == nil)
        try await manager(store, "a").forget()
        #expect(store.current == nil)
    }

    @Test("Sessions that begin at the same time are all kept, and another process sees them begin and end")
    func concurrent() async throws {
        let store = FakeStore()
        let (here, there) = (sessions(store), sessions(store))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try? await manager(of: here, "\(number)").keep(userName: "ada", token: "t") }
            }
        }
        for number in 0..<50 { #expect(try await manager(of: there, "\(number)").userName() == "ada") }
        try await manager(of: there, "7").forget()
        #expect(try await manager(of: here, "7").userName() == nil)
    }

    @Test("The oldest session ends when there are too many")
    func limit() async throws {
        let many = (0..<AccountSessions.limit).map {
            AccountSessions.Session(identity: "\($0)", userName: "ada", token: "t")
        }
        let secret = String(decoding: try FoundationJSONCoder().encode(many), as: UTF8.self)
        let all = sessions(FakeStore(Credential(user: "sessions", secret: secret)))
        try await all.begin(AccountSessions.Session(identity: "new", userName: "bob", token: "t"))
        #expect(try await all.session(of: "0") == nil)
        #expect(try await all.session(of: "1")?.userName == "ada")
        #expect(try await all.session(of: "new")?.userName == "bob")
    }

    @Test("Errors of the credential store are passed on, and change nothing")
    func failure() async {
        let store = FakeStore(failing: storeError)
        let all = sessions(store)
        let manager = AccountLocalDataManager(sessions: all, identity: "", server: nil)
        await #expect(throws: storeError) { try await manager.userName() }
        await #expect(throws: storeError) { try await manager.keep(userName: "ada", token: "t") }
        await #expect(throws: storeError) { try await manager.forget() }
        await #expect(throws: storeError) { try await manager.userName() }
    }

    @Test("The guard lets logged-in users through, leads others to the form, and takes back what it allowed")
    func guarding() async throws {
        let all = sessions(FakeStore())
        let watching = LoginGuard(sessions: all)
        func decision(_ identity: String) async throws -> RouteDecision {
            try await watching.decide(on: GuardedOpening(route: "people", parameters: [:], identity: identity))
        }
        #expect(try await decision("a") == .lead(to: "login?returns=true"))
        try await all.begin(AccountSessions.Session(identity: "a", userName: "ada", token: "t"))
        #expect(try await decision("a") == .allow)
        #expect(try await decision("b") == .lead(to: "login?returns=true"))
        var revocations = all.revocations().makeAsyncIterator()
        try await all.end("a")
        #expect(await revocations.next() == Revocation(identity: "a", reason: "you have logged out"))
    }
}

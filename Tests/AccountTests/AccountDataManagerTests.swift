import Glibc
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperRuntime
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
        AccountSessions(store: store, json: FoundationJSONCoder(), server: nil)
    }

    private func manager(of sessions: AccountSessions, _ identity: String) -> AccountLocalDataManager {
        AccountLocalDataManager(sessions: sessions, identity: identity)
    }

    private func manager(_ store: FakeStore, _ identity: String = "") -> AccountLocalDataManager {
        AccountLocalDataManager(sessions: sessions(store), identity: identity)
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

    @Test("Sessions that begin and end in several generations at once are neither lost nor back", .hangLimit)
    func generations() async throws {
        let folder = try ScratchFolder()
        func generation() -> AccountSessions {
            let store = FileCredentialStore(folder: StateFolder(path: folder.path))
            return AccountSessions(store: store, json: FoundationJSONCoder(), server: nil)
        }
        let generations = (0..<4).map { _ in generation() }
        for number in 0..<20 { try await manager(of: generations[0], "old\(number)").keep(userName: "ada", token: "t") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, all) in generations.enumerated() {
                group.addTask {
                    for number in 0..<5 {
                        try await manager(of: all, "old\(place * 5 + number)").forget()
                        try await manager(of: all, "new\(place)-\(number)").keep(userName: "ada", token: "t")
                    }
                }
            }
            try await group.waitForAll()
        }
        let new = (0..<4).flatMap { place in (0..<5).map { "new\(place)-\($0)" } }
        #expect(Set(try await generation().all().map(\.identity)) == Set(new))
    }

    @Test("A change fails with a fix if others change the sessions before each of 100 attempts", .hangLimit)
    func alwaysChanged() async throws {
        let store = FakeStore(isAlwaysChanged: true)
        let error = await #expect(throws: ViperError.self) {
            try await manager(store, "a").keep(userName: "ada", token: "t")
        }
        #expect(error?.code == .storeFailed && error?.fix == "retry")
        #expect(error?.cause == "other processes have changed it before each of 100 attempts")
        #expect(store.replacementCount == 100)
    }

    @Test("Changes that wait for another one are made in the order of their calls", .hangLimit)
    func order() async throws {
        let gate = OneShot<Void>()
        let all = sessions(FakeStore(until: gate))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    try await all.begin(AccountSessions.Session(identity: "\(number)", userName: "ada", token: "t"))
                }
                // The first change does not wait.
                let isWaiting = await eventually {
                    let isChanging = await all.isChanging
                    let count = await all.waiting.count
                    return isChanging && count == number
                }
                #expect(isWaiting)
            }
            gate.set()
            try await group.waitForAll()
        }
        #expect(try await all.all().map(\.identity) == ["0", "1", "2", "3"])
    }

    @Test("If the credential file has no room for another session, the oldest ones end", .hangLimit)
    func limit() async throws {
        let folder = try ScratchFolder()
        let store = FileCredentialStore(folder: StateFolder(path: folder.path))
        let all = AccountSessions(store: store, json: FoundationJSONCoder(), server: nil)
        func session(_ number: Int) -> AccountSessions.Session {
            let identity = "\(number)-6f1c0a52-5d5c-4c5e-9d0a-0d6a4a1b2c3d"
            return AccountSessions.Session(
                identity: identity, userName: "\"ada\"", token: String(repeating: "t", count: 1_000),
                server: "https://example.org/api")
        }
        for number in 0..<70 { try await all.begin(session(number)) }
        let kept = try await all.all()
        #expect(kept.count > 50 && kept == (70 - kept.count..<70).map(session))
        // Without room for a single session, the store's error is thrown, and the sessions stay.
        var large = session(70)
        large.token = String(repeating: "t", count: 1 << 16)
        let error = await #expect(throws: ViperError.self) { try await all.begin(large) }
        #expect(error?.code == .storeFailed)
        #expect(try await all.all() == kept)
    }

    @Test("A session that ends because another user logs in, or for lack of space, closes the scenes of its identity")
    func revoked() async throws {
        let all = sessions(FakeStore())
        func session(_ identity: String, _ user: String, size: Int = 1) -> AccountSessions.Session {
            AccountSessions.Session(identity: identity, userName: user, token: String(repeating: "t", count: size))
        }
        var (ended, changed) = (all.revocations().makeAsyncIterator(), all.changes().makeAsyncIterator())
        for user in ["ada", "ada", "bob"] { try await all.begin(session("a", user)) }
        #expect(await ended.next() == Revocation(identity: "a", reason: "another user has logged in"))
        for _ in 0..<3 { #expect(await changed.next() == "a") }
        try await all.begin(session("b", "eve", size: AccountSessions.sizeLimit - 100))
        // The first end counts as handled when the next one is read.
        #expect(await changed.next() == "b")
        #expect(await ended.next() == Revocation(identity: "a", reason: "too many other users have logged in"))
        #expect(await changed.next() == "a")
        #expect(try await all.all().map(\.identity) == ["b"])
    }

    @Test("Other modules learn that a session has ended when the host has closed its scenes")
    func handled() async throws {
        let all = sessions(FakeStore())
        let (first, second) = (all.revocations(), all.revocations())
        var (one, other) = (first.makeAsyncIterator(), second.makeAsyncIterator())
        var changed = all.changes().makeAsyncIterator()
        for identity in ["a", "b"] {
            try await all.begin(AccountSessions.Session(identity: identity, userName: "ada", token: "t"))
            #expect(await changed.next() == identity)
        }
        try await all.end("a")
        #expect(await one.next()?.identity == "a")
        #expect(await other.next()?.identity == "a")
        try await all.end("b")
        // One of two readers has handled the first end.
        #expect(await one.next()?.identity == "b")
        try await all.begin(AccountSessions.Session(identity: "c", userName: "ada", token: "t"))
        #expect(await changed.next() == "c")
        #expect(await other.next()?.identity == "b")
        #expect(await changed.next() == "a")
    }

    @Test("A sequence that nobody reads any more is forgotten, although nobody logs in")
    func observers() async {
        let observers = SessionObservers<String>()
        var kept = observers.stream().makeAsyncIterator()
        for _ in 0..<10 { _ = observers.stream() }
        #expect(observers.count == 1)
        observers.yield("a")
        #expect(await kept.next() == "a")
    }

    @Test("Texts in another Unicode form are other identities")
    func unicodeForms() async throws {
        let store = FakeStore()
        let (composed, decomposed) = (manager(store, "Zo\u{EB}"), manager(store, "Zoe\u{308}"))
        try await composed.keep(userName: "ada", token: "t")
        #expect(try await decomposed.userName() == nil)
        try await decomposed.keep(userName: "bob", token: "u")
        try await decomposed.forget()
        #expect(try await composed.userName() == "ada")
    }

    @Test("A login at another server than the configured one does not count")
    func otherServer() async throws {
        let store = FakeStore()
        func sessions(at server: String?) -> AccountSessions {
            AccountSessions(store: store, json: FoundationJSONCoder(), server: server)
        }
        try await manager(of: sessions(at: "http://x"), "a").keep(userName: "ada", token: "t")
        let opening = GuardedOpening(route: "people", parameters: [:], identity: "a")
        for (server, isKnown) in [("http://x", true), ("http://y", false), (nil, true)] {
            #expect(try await manager(of: sessions(at: server), "a").userName() == (isKnown ? "ada" : nil))
            let decision = try await LoginGuard(sessions: sessions(at: server)).decide(on: opening)
            #expect((decision == .allow) == isKnown)
        }
    }

    @Test("A login replaces a damaged credential, and no other one that cannot be read")
    func damaged() async throws {
        let folder = try ScratchFolder()
        let store = FileCredentialStore(folder: StateFolder(path: folder.path))
        let manager = AccountLocalDataManager(
            sessions: AccountSessions(store: store, json: FoundationJSONCoder(), server: nil), identity: "a")
        for secret in ["[", "{}"] {
            try await store.save(Credential(user: "sessions", secret: secret))
            try await manager.keep(userName: "ada", token: "t")
            #expect(try await manager.userName() == "ada")
        }
        let file = try folder.write("{", to: "credentials.json")
        try await manager.keep(userName: "ada", token: "t")
        #expect(try await manager.userName() == "ada")
        let before = try await store.credential()
        try #require(chmod(file, 0o644) == 0)
        let error = await #expect(throws: ViperError.self) { try await manager.keep(userName: "bob", token: "u") }
        #expect(error?.cause == "other users can access it (mode 644)")
        try #require(chmod(file, 0o600) == 0)
        #expect(try await store.credential() == before)
    }

    @Test("Errors of the credential store are passed on, and change nothing")
    func failure() async {
        let store = FakeStore(failing: storeError)
        let all = sessions(store)
        let manager = AccountLocalDataManager(sessions: all, identity: "")
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

import HostDriver
import TestSupport
import Testing

/// The bundled modules as one application, over JSON-RPC and at a terminal.
@Suite(.fewAtOnce, .hangLimit)
struct ApplicationTests {
    private let root: ScratchRoot
    private let server: TestServer
    private let host: ServingHost

    init() async throws {
        root = try ScratchRoot()
        let modules = ["account", "alert", "details", "http-client", "launcher", "people", "todo"]
        for module in modules { try root.copyManifest(module) }
        server = try await TestServer("login")
        try root.folder.write(
            """
            { "guards": { "account": ["people", "people/*", "todo", "todos"] }, "state": "state",
              "set": { "account": { "baseURL": "\(server.url)" }, "todo": { "baseURL": "\(server.url)/brief" } } }
            """, to: "root/host.json")
        host = try await ServingHost(root)
    }

    /// Opens a route for an identity, and returns the response.
    private func open(_ route: String, for identity: String, in client: TestClient) async throws -> String {
        try await client.call("open", #"{"route":"\#(route)","identity":"\#(identity)"}"#)
    }

    private func event(_ event: String, in client: TestClient, scene: Int = 1) async throws -> String {
        try await client.call("event", #"{"scene":\#(scene),"event":\#(event)}"#)
    }

    private func logIn(in client: TestClient, scene: Int = 1) async throws -> String {
        _ = try await event(#"{"fill":"userName","text":"ada"}"#, in: client, scene: scene)
        _ = try await event(#"{"fill":"password","text":"lovelace"}"#, in: client, scene: scene)
        return try await event(#"{"press":"login"}"#, in: client, scene: scene)
    }

    @Test("A guarded route asks for a login and goes on, for each identity, and a logout closes its scenes only")
    func guarded() async throws {
        let (first, second, third) = (try host.client(), try host.client(), try host.client())
        #expect(try await open("launcher", for: "a", in: first).contains("\"title\":\"Menu\""))
        #expect(try await event(#"{"select":"people people"}"#, in: first).contains(#""title":"Log in""#))
        #expect(try await logIn(in: first).contains(#""title":"People""#))
        // The same identity elsewhere is logged in, and another one is not.
        #expect(try await open("people/add", for: "a", in: second).contains(#""title":"Add a person""#))
        #expect(try await open("people", for: "b", in: third).contains(#""title":"Log in""#))
        #expect(try await logIn(in: third).contains(#""title":"People""#))
        #expect(try await open("home", for: "a", in: second).contains("Welcome, ada"))
        #expect(try await open("home", for: "c", in: second).contains(#""title":"Log in""#))

        #expect(try await event(#"{"press":"logout"}"#, in: second, scene: 2).contains(#""title":"Log in""#))
        let closed = try await second.line(with: #""method":"closed""#)
        #expect(closed.contains(#""scene":1"#) && closed.contains("you have logged out"), "\(closed)")
        // The menu stays open below the closed scene.
        #expect(try await event(#"{"select":"people people"}"#, in: first).contains(#""title":"Log in""#))
        #expect(try await open("people", for: "b", in: third).contains(#""title":"People""#))
    }

    @Test("People are added, shown by another module, and removed after a confirmation; another session sees it")
    func flow() async throws {
        let (first, second) = (try host.client(), try host.client())
        _ = try await open("launcher", for: "a", in: first)
        _ = try await event(#"{"select":"people people"}"#, in: first)
        #expect(try await logIn(in: first).contains("Nobody yet"))
        _ = try await second.call("subscribe", #"{"to":["screens"]}"#)
        #expect(try await open("people", for: "a", in: second).contains("Nobody yet"))

        #expect(try await event(#"{"press":"add"}"#, in: first).contains(#""title":"Add a person""#))
        _ = try await event(#"{"fill":"name","text":"Bob"}"#, in: first)
        _ = try await event(#"{"fill":"age","text":"18"}"#, in: first)
        let list = try await event(#"{"press":"add"}"#, in: first)
        #expect(list.contains("Bob - 18"))
        #expect(try await second.line(with: "Bob - 18").contains(#""method":"screen""#))
        let row = try #require(list.firstMatch(of: /"id":"([0-9a-f]{8,})"/)?.1)
        #expect(try await event(#"{"select":"\#(row)"}"#, in: first).contains(#""title":"Bob""#))
        #expect(try await event(#"{"press":"remove"}"#, in: first).contains(#""title":"Remove Bob?""#))
        #expect(try await event(#"{"press":"cancel"}"#, in: first).contains("Bob - 18"))
        _ = try await event(#"{"select":"\#(row)"}"#, in: first)
        _ = try await event(#"{"press":"remove"}"#, in: first)
        #expect(try await event(#"{"press":"confirm"}"#, in: first).contains("Nobody yet"))
        _ = try await second.line(with: "Nobody yet")
    }

    /// Types a line, and returns what the terminal shows up to the next prompt.
    private func type(_ line: String, in session: TerminalSession, until prompt: String = "> ") async throws -> String {
        try session.type(line + "\n")
        return try await session.wait(for: prompt)
    }

    /// Shows the screen again until it contains a text. A session shows a change with the next line.
    private func waitForChange(_ text: String, in session: TerminalSession) async throws {
        let end = ContinuousClock.now + Patience.limit
        while try await !type("", in: session).contains(text) { try #require(.now < end) }
    }

    /// Starts a session at a terminal, in a host of its own or in the serving host, and waits for its prompt.
    private func session(isServed: Bool, _ route: String...) async throws -> (session: TerminalSession, shown: String) {
        let session = try root.terminal(environment: ["NO_COLOR": "1"]) { child in
            child.arguments = ["run", "-i", "--plain"] + route + (isServed ? ["--via", host.socket] : child.arguments)
        }
        return (session, try await session.wait(for: "> "))
    }

    @Test("The same flow at a terminal, in one process or in a serving host", arguments: [false, true])
    func terminal(isServed: Bool) async throws {
        let (first, menu) = try await session(isServed: isServed)
        let number = try #require(menu.firstMatch(of: /(\d+)  People\n/)?.1)
        #expect(try await type("\(number)", in: first).contains("Log in\n"))
        _ = try await type("fill", in: first, until: "User name []: ")
        _ = try await type("ada", in: first, until: "Password []: ")
        _ = try await type("lovelace", in: first)
        #expect(try await type("login", in: first).contains("People\n  Nobody yet\n"))

        let (second, seen) = try await session(isServed: isServed, "people")
        #expect(seen.contains("People\n  Nobody yet\n"), "\(seen)")
        #expect(try await type("add", in: first).contains("Add a person\n"))
        _ = try await type("fill", in: first, until: "Name []: ")
        _ = try await type("Bob", in: first, until: "Age []: ")
        _ = try await type("18", in: first)
        #expect(try await type("add", in: first).contains("People\n✓ Added Bob - 18\n  1  Bob - 18\n"))
        try await waitForChange("  1  Bob - 18", in: second)

        #expect(try await type("1", in: first).contains("Bob\n     Age   18\n"))
        #expect(try await type("remove", in: first).contains("Remove Bob?\nThis cannot be undone.\n"))
        #expect(try await type("confirm", in: first).contains("People\n✓ Removed Bob\n  Nobody yet\n"))
        try await waitForChange("Nobody yet", in: second)
        // Another identity is not logged in.
        #expect(try await open("people", for: "c", in: try host.client()).contains(#""title":"Log in""#))
        for session in [first, second] {
            try session.type("quit\n")
            #expect(try await session.end().ending == .code(0))
        }
    }

    @Test("A server that no longer accepts a token ends the session, and its identity's guarded scenes close")
    func expired() async throws {
        let (first, second) = (try host.client(), try host.client())
        for (client, identity) in [(first, "a"), (second, "b")] {
            #expect(try await open("todos", for: identity, in: client).contains(#""title":"Log in""#))
            #expect(try await logIn(in: client).contains("delectus aut autem"))
        }
        #expect(try await open("people", for: "a", in: first).contains(#""title":"People""#))
        // The second request with the token of the first identity.
        #expect(try await !event(#"{"select":"1"}"#, in: first).contains("t0ken"))
        let closed = try await first.line(with: #""scene":2"#)
        #expect(closed.contains("route-refused") && closed.contains("the server has ended your session"), "\(closed)")
        try await first.wait("event", #"{"scene":1,"event":{"press":"retry"}}"#, for: "scene-unknown")
        #expect(try await open("home", for: "a", in: first).contains(#""title":"Log in""#))
        #expect(try await open("home", for: "b", in: second).contains("Welcome, ada"))
        #expect(try await event(#"{"press":"settings"}"#, in: second).contains(#""title":"Settings""#))
        #expect(!host.log.contains("t0ken"), "\(host.log)")
        #expect(
            server.requests.filter { $0.hasPrefix("GET") } == [
                "GET /brief/todos", "GET /brief/todos", "GET /brief/todos/1",
            ])
    }

    @Test("A guard that is not installed keeps its routes shut, and the other routes open")
    func missing() async throws {
        let root = try ScratchRoot()
        try root.folder.write(#"{ "guards": { "account": ["list"] } }"#, to: "root/host.json")
        let result = try await root.host("run", "list")
        #expect(result.ending == .code(69))
        #expect(
            result.errors == """
                host: warning: host.json $.guards: unknown module "account"; its routes stay shut; install the module, or remove its name
                host: cannot open route "list": its guard "account" failed: no module has this name

                """)
        #expect(try await root.host("run", "person", "id=58f9a19680685a4e1e6d5016").ending == .code(0))
    }

    @Test("A guard with a misspelt route, or of a module that is none, is a warning")
    func misspelt() async throws {
        let root = try ScratchRoot()
        for module in ["account", "http-client", "people"] { try root.copyManifest(module) }
        try root.folder.write(
            #"{ "guards": { "account": ["peple", "peple/*", "people/*"], "people": ["list"] } }"#, to: "root/host.json")
        let result = try await root.host("run", "person", "id=58f9a19680685a4e1e6d5016")
        #expect(
            result.errors.hasPrefix(
                """
                host: warning: host.json $.guards.account: no module has the route "peple", so it guards nothing; write people
                host: warning: host.json $.guards.account: no module has the route "peple/*", so it guards nothing
                host: warning: host.json $.guards.people: the module does not provide "route-guard"; its routes stay shut; write a module that does

                """), "\(result)")
    }
}

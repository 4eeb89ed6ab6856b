import HostDriver
import TestSupport
import Testing

/// The bundled modules as one application, over JSON-RPC.
@Suite(.fewAtOnce, .hangLimit)
struct ApplicationTests {
    private let server: TestServer
    private let host: ServingHost

    init() async throws {
        let root = try ScratchRoot()
        let modules = ["account", "alert", "details", "http-client", "launcher", "people"]
        for module in modules { try root.copyManifest(module) }
        server = try await TestServer("login")
        try root.folder.write(
            """
            { "guards": { "account": ["people", "people/*"] }, "state": "state",
              "set": { "account": { "baseURL": "\(server.url)" } } }
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

    @Test("A guard that is not installed keeps its routes shut, and the other routes open")
    func missing() async throws {
        let root = try ScratchRoot()
        try root.folder.write(#"{ "guards": { "account": ["list"] } }"#, to: "root/host.json")
        let result = try await root.host("run", "list")
        #expect(result.ending == .code(69))
        #expect(
            result.errors == """
                host: warning: host.json $.guards: unknown module "account"; its routes stay shut
                host: cannot open route "list": its guard "account" failed: no module has this name

                """)
        #expect(try await root.host("run", "person", "id=58f9a19680685a4e1e6d5016").ending == .code(0))
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// `host serve`, used by a client that shares no code with the host.
@Suite(.fewAtOnce, .hangLimit)
struct ServeTests {
    static func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        try await root.add(.serve, .serve)
        return root
    }

    /// Starts a host, and returns it with the file that its modules wait for.
    static func served(
        _ options: String..., environment: [String: String] = [:]
    ) async throws -> (host: ServingHost, gate: Gate) {
        let root = try await root()
        let gate = Gate(root.folder.path + "/gate")
        let host = try await ServingHost(
            root, environment: ["GATE": gate.path].merging(environment) { $1 }
        ) { $0.arguments += options }
        return (host, gate)
    }

    struct Gate {
        var path: String
        init(_ path: String) { self.path = path }
        func open() throws { try Data().write(to: URL(filePath: path)) }
    }

    /// Opens the module's route, retries after a timeout, and returns the scene's number.
    static func open(_ client: TestClient) async throws -> Int {
        let answer = try await client.wait("open", #"{"route":"serve"}"#, for: "time-limit", isThere: false)
        guard let scene = answer.firstMatch(of: /"scene":(\d+)/).flatMap({ Int($0.1) }) else {
            throw CocoaError(.coderReadCorrupt, userInfo: ["answer": answer])
        }
        return scene
    }

    static func press(_ action: String, _ scene: Int = 1) -> String {
        #"{"scene":\#(scene),"event":{"press":"\#(action)"}}"#
    }

    @Test("The help of the command names each method that the article does")
    func help() async throws {
        let help = try await ChildProcess(Products.host, ["help", "serve"]).run().text
        let methods = try #require(help.firstRange(of: "METHODS")).upperBound
        let article = try Document(path: Document.catalogue + "/Serving.md").text
        let rows = article.matches(of: #/(?m)^\| (`[a-z]+`(?:, `[a-z]+`)*) +\| (?:none|`\{)/#).map(\.1)
        let names = rows.flatMap { $0.matches(of: /[a-z]+/).map(\.output) }
        #expect(names.count == 20 && names.contains("metrics"), "\(names)")
        for name in names {
            #expect(help[methods...].matches(of: /[a-z]+/).contains { $0.output == name }, "\(name)")
        }
    }

    @Test("A route is opened, used and closed")
    func walk() async throws {
        let (host, _) = try await Self.served()
        let client = try host.client()
        let opened = try await client.call("open", #"{"route":"list"}"#)
        #expect(
            opened.contains(
                #""closed":false,"revision":1,"scene":1,"screen":{"sections":[{"rows":[{"detail":"$2,107.15""#))
        let person = try await client.call("event", #"{"scene":1,"event":{"select":"58f9a19680685a4e1e6d5016"}}"#)
        #expect(person.contains(#""id":"close""#) && person.contains(#""title":"Close""#) && person.contains("Bertha"))
        #expect(try await client.call("close", #"{"scene":1}"#).hasPrefix(#"{"id":3,"jsonrpc":"2.0","result":{}}"#))
        #expect(try await client.call("close", #"{"scene":1}"#).contains(#""result":{}"#))
        #expect(try await client.call("close", #"{"scene":2}"#).contains("scene-unknown"))
        #expect(try await client.call("event", Self.press("x")).contains("scene-unknown"))
    }

    @Test(
        "Parameters may be typed values or texts, and invalid ones are errors",
        arguments: [
            (#"{"age":30}"#, "age 30"), (#"{"age":"30"}"#, "age 30"), ("{}", "loaded"),
            (#"{"age":"old"}"#, #"\"age\" is \"old\", expected an integer"#), (#"{"age":true}"#, "parameter-invalid"),
            (#"{"age":1.5}"#, #"\"age\" is 1.5, expected an integer"#),
            (#"{"age":1e999}"#, "the number is out of range for a Double"),
            (#"{"age":null}"#, "-32602"), (#"{"age":[1]}"#, "is [1], expected an integer"), (#"{"age":{}}"#, "-32602"),
            (#"{"ag":1}"#, "did you mean"),
        ])
    func parameters(given: String, shown: String) async throws {
        let (host, client) = try ServingHost.atStandardIO(try await Self.root())
        let answer = try await client.call("open", #"{"route":"serve","parameters":\#(given)}"#)
        #expect(answer.contains(shown), "\(answer)")
        _ = host
    }

    @Test("Events fill, press and close, and deliver the result of a scene above")
    func events() async throws {
        let (host, _) = try await Self.served()
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        let filled = try await client.call("event", #"{"scene":1,"event":{"fill":"name","text":"Ada"}}"#)
        #expect(filled.contains("loaded Ada"))
        #expect(try await client.call("event", Self.press("child")).contains(#""title":"serve/child""#))
        let returned = try await client.call("event", Self.press("done"))
        #expect(returned.contains("serve/child returned [1, 2]"), "\(returned)")
        #expect(try await client.call("event", Self.press("nothing")).contains("event-unknown"))
        let later = try await client.call("event", #"{"scene":1,"event":{"move":"1"}}"#)
        #expect(later.contains("event-unknown") && later.contains("press, select, act, fill, returned"), "\(later)")
        for event in ["{}", #"{"press":"a","select":"b"}"#, #"{"fill":"name"}"#, #"{"press":7}"#, "[]"] {
            let answer = try await client.call("event", #"{"scene":1,"event":\#(event)}"#)
            #expect(answer.contains("-32602"), "\(answer)")
        }
        #expect(try await client.call("event", Self.press("leave")).contains(#""closed":true"#))
        #expect(try await client.call("event", Self.press("leave")).contains("scene-unknown"))
    }

    @Test(
        "Parameters of another shape are refused with the expected shape",
        arguments: [
            ("check", #"{"module":"serve","phase":"boo"}"#, #"unknown phase \"boo\""#),
            ("check", #"{"module":"serve","phase":5}"#, "expected a string, found a number"),
            ("subscribe", #"{"to":["all"]}"#, "write one of registry, screens"),
            ("close", #"{"scene":1.5}"#, "write a 64-bit integer"),
            ("close", #"{"scene":99999999999999999999}"#, "write a 64-bit integer"),
            ("close", #"{"scene":"1"}"#, "expected a number, found a string"),
            ("close", "[1]", "expected an object, found an array"), ("close", "{}", #"\"scene\" is missing"#),
            ("open", #"{"route":"serve","navigate":true}"#, #"unknown key \"navigate\""#),
            ("open", #"{"route":"serve","navigate":true}"#, #""fix":"write \"navigates\"""#),
            ("load", #"{"scene":1,"x":1}"#, #""fix":"use only scene""#),
            ("event", #"{"scene":1,"event":{"press":"x"},"evnt":1}"#, #""fix":"write \"event\"""#),
            ("close", #"{"scene":1,"id":1}"#, #"unknown key \"id\""#),
            ("check", #"{"module":"serve","phase":"load","x":1}"#, #""fix":"use only module, phase""#),
            ("subscribe", #"{"to":[],"from":[]}"#, #"unknown key \"from\""#),
            ("unsubscribe", #"{"too":[]}"#, #""fix":"write \"to\"""#),
            ("modules", #"{"format":"json"}"#, #""fix":"remove it""#),
            ("open", #"{"route":"serve","parameters":{"age":[{"x":1e999}]}}"#, "$.params.parameters.age[0].x"),
        ])
    func shapes(method: String, parameters: String, expected: String) async throws {
        let (host, client) = try ServingHost.atStandardIO(try await Self.root())
        let answer = try await client.call(method, parameters)
        #expect(answer.contains("-32602") && answer.contains(expected), "\(answer)")
        _ = host
    }

    @Test(
        "Every method refuses parameters that are not an object, with -32602",
        arguments: [
            "ping", "routes", "modules", "services", "statistics", "metrics", "check", "open", "load", "event", "close",
            "subscribe",
            "unsubscribe",
        ])
    func kinds(method: String) async throws {
        let (host, client) = try ServingHost.atStandardIO(try await Self.root())
        for (parameters, kind) in [
            ("[]", "an array"), (#""x""#, "a string"), ("7", "a number"), ("true", "true or false"), ("null", "null"),
        ] {
            let answer = try await client.call(method, parameters)
            #expect(answer.contains("-32602") && answer.contains("expected an object, found \(kind)"), "\(answer)")
        }
        _ = host
    }

    @Test("An event that arrives while its scene opens is handled once the scene is open")
    func eventWhileOpening() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        let (host, client) = try ServingHost.atStandardIO(root)
        let opening = try client.begin("open", #"{"route":"list"}"#)
        let event = #"{"scene":1,"event":{"select":"58f9a19680685a4e1e6d5016"}}"#
        let selecting = try client.begin("event", event)
        #expect(try await client.answer(to: opening).contains(#""title":"People by company""#))
        #expect(try await client.answer(to: selecting).contains("Bertha"))
        withExtendedLifetime(host) {}
    }

    @Test("Unknown members of events and messages are ignored")
    func growth() async throws {
        let (host, client) = try ServingHost.atStandardIO(try await Self.root())
        _ = try await client.call("open", #"{"route":"serve"}"#)
        let answer = try await client.call("event", #"{"scene":1,"event":{"fill":"name","text":"Ada","by":"x"}}"#)
        #expect(answer.contains("loaded Ada"), "\(answer)")
        try client.send(#"{"jsonrpc":"2.0","id":77,"trace":{"x":1},"method":"ping"}"#)
        #expect(try await client.answer(to: 77).contains(#""result":{}"#))
        _ = host
    }

    @Test("Listings match those of the commands")
    func listings() async throws {
        let (host, _) = try await Self.served()
        let client = try host.client()
        for name in ["routes", "modules", "services"] {
            let direct = try await ChildProcess(Products.host, [name, "--via", host.socket, "--format", "json"]).run()
            let own = try await ChildProcess(
                Products.host, [name, "--root", try #require(Self.rootPath(of: host)), "--format", "json"]
            ).run()
            #expect(direct.ending == .code(0) && direct.text == own.text, "\(direct)")
            let answer = try await client.call(name)
            let shown = try JSONSerialization.jsonObject(with: own.output) as? NSObject
            let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
            #expect(object?["result"] as? NSObject == shown && shown != nil)
        }
        let text = try await ChildProcess(Products.host, ["routes", "--via", host.socket]).run()
        #expect(text.text.contains("serve/child"), "\(text)")
    }

    private static func rootPath(of host: ServingHost) -> String? {
        URL(filePath: host.socket).deletingLastPathComponent().appending(path: "root").path
    }

    @Test("Subscribers are notified of changed screens, and every client of its closed scenes")
    func changes() async throws {
        let (host, gate) = try await Self.served()
        let (watcher, other) = (try host.client(), try host.client())
        _ = try await watcher.call("subscribe", #"{"to":["screens","registry"]}"#)
        _ = try await watcher.call("open", #"{"route":"serve"}"#)
        #expect(try await watcher.line(with: #""method":"registry""#).contains(#""state":"active""#))
        _ = try await other.call("open", #"{"route":"serve"}"#)
        for client in [watcher, other] { _ = try await client.call("event", Self.press("later")) }
        try gate.open()
        let screen = try await watcher.line(with: "changed")
        #expect(screen.contains(#""method":"screen","params":{"closed":false,"revision":"#), "\(screen)")
        for client in [watcher, other] {
            _ = try await client.call("event", Self.press("fall"))
            let closed = try await client.line(with: #""method":"closed""#)
            #expect(
                closed.contains(#""params":{"last":{"closed":true,"#) && closed.contains(#""text":"fell""#))
        }
        #expect(try await watcher.call("subscribe", #"{"to":["everything"]}"#).contains("-32602"))
        // The client without a subscription has received nothing else.
        let id = try other.begin("ping")
        #expect(try await other.line(with: "jsonrpc").contains(#""id":\#(id),"#))
    }

    @Test("A scene that closes itself sends its last screen to a client that navigates")
    func lastScreen() async throws {
        let (host, _) = try await Self.served()
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve","navigates":true}"#)
        _ = try await client.call("load", #"{"scene":1}"#)
        let send = try client.begin("event", Self.press("finish"))
        let finish = try await client.line(with: #""method":"finish""#)
        #expect(
            finish.contains(#""params":{"last":{"closed":false,"#) && finish.contains(#""text":"finished""#),
            "\(finish)")
        let id = try #require(finish.firstMatch(of: /"id":(\d+)/)?.1)
        try client.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        #expect(try await client.answer(to: send).contains(#""text":"finished""#))
    }

    @Test("The socket is accessible only to its user and is removed with the host")
    func mode() async throws {
        let (host, _) = try await Self.served()
        let attributes = try FileManager.default.attributesOfItem(atPath: host.socket)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: host.socket).deletingLastPathComponent().path)
        #expect(!left.contains { $0.hasPrefix("socket") }, "\(left)")
    }

    @Test("Without --socket the host serves in the user's runtime folder or in a private folder")
    func standardPath() async throws {
        let root = try await Self.root()
        let runtime = root.folder.path + "/run"
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        for (environment, path) in [
            (["XDG_RUNTIME_DIR": runtime], "\(runtime)/viper-host.sock"),
            (["XDG_RUNTIME_DIR": "relative"], "\(root.temporary)/viper-host-\(getuid())/host.sock"),
        ] {
            let host = try await ServingHost(root, environment: environment) { child in
                child.arguments.removeAll { $0 == "--socket" || $0.hasSuffix("/socket") }
                // `ServingHost` waits for its own path in the log.
                child.arguments =
                    ["-c", "printf 'host: serving on \(root.folder.path)/socket\\n' >&2; exec \"$@\"", "sh"]
                    + [child.program] + child.arguments
                child.program = "sh"
            }
            try await host.wait(forLog: "serving on \(path)\n")
            _ = try await TestClient(connectingTo: path).call("ping")
        }
        let folder = "\(root.temporary)/viper-host-\(getuid())"
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        let refused = try await root.host("serve", environment: ["XDG_RUNTIME_DIR": "relative"])
        #expect(
            refused.ending == .code(73) && refused.errors.contains("not a folder that only this user can access"),
            "\(refused)")
    }

    @Test("A second host at the same socket is refused, and the first one keeps running")
    func secondHost() async throws {
        let (host, _) = try await Self.served()
        let second = try await ChildProcess(
            Products.host, ["serve", "--socket", host.socket, "--root", try #require(Self.rootPath(of: host))]
        ).run()
        #expect(second.ending == .code(73))
        #expect(
            second.errors == """
                host: cannot use socket "\(host.socket)": another host already listens on it
                  fix: stop that host, or give another path

                """)
        #expect(try await host.client().call("ping").contains(#""result":{}"#))
    }

    @Test("The socket of a killed host is replaced, and other files are not")
    func stale() async throws {
        let root = try await Self.root()
        do {
            let killed = try await ServingHost(root)
            killed.send(SIGKILL)
            #expect(try await killed.end() == .signal(SIGKILL))
            #expect(FileManager.default.fileExists(atPath: killed.socket))
        }
        let host = try await ServingHost(root)
        #expect(try await host.client().call("ping").contains(#""result":{}"#))
        let file = try root.folder.write("mine", to: "file")
        let refused = try await root.host("serve", "--socket", file)
        #expect(refused.ending == .code(73) && refused.errors.contains("not a socket"), "\(refused)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        let long = try await root.host("serve", "--socket", "/tmp/" + String(repeating: "x", count: 200))
        #expect(long.ending == .code(73) && long.errors.contains("more than the limit of 107"), "\(long)")
        let missing = try await root.host("serve", "--socket", "/nonexistent/socket")
        #expect(
            missing.ending == .code(73)
                && missing.errors.contains("\"/nonexistent/socket\": its folder does not exist"),
            "\(missing)")
    }
}

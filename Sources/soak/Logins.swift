import Foundation
import HostDriver

/// A scenario in which users log in and out at the same moment, in three generations of the module `account` in each of
/// two hosts that share a state folder.
enum Logins: Scenario {
    static let name = "logins"
    private static let generations = 3
    /// The number of users that log in or out in one generation of a host at the same moment.
    private static let usersOfGeneration = 4

    static func run(isShort: Bool) async throws -> String {
        let state = try ScratchFolder()
        let roots = [try await root(), try await root()]
        var hosts: [ServingHost] = []
        for root in roots { hosts.append(try await ServingHost(root, "--state", state.path)) }
        let users = (0..<generations * hosts.count * usersOfGeneration).map { "user\($0)" }
        var loggedIn: Set<String> = []
        var count = 0
        let end = ContinuousClock.now + .seconds(isShort ? 0 : 60)
        while count < (isShort ? 2 * users.count : 1_000) || .now < end {
            let changes = try await prepare(users, loggedIn, in: hosts, shift: count / users.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for change in changes { group.addTask { try await change.make() } }
                try await group.waitForAll()
            }
            loggedIn.formSymmetricDifference(users)
            count += changes.count
            try await compare(loggedIn, of: users, in: hosts)
        }
        return "\(count) logins and logouts in \(generations) generations of \(hosts.count) hosts: none lost, none back"
    }

    /// Opens a scene for each user, in which one action logs the user in or out. Some scenes are of the current generation,
    /// and others of the two before.
    private static func prepare(
        _ users: [String], _ loggedIn: Set<String>, in hosts: [ServingHost], shift: Int
    ) async throws -> [Change] {
        var changes: [Change] = []
        for generation in 1...generations {
            for host in hosts {
                for _ in 0..<usersOfGeneration {
                    // In each round, another host and generation.
                    let user = users[(changes.count + shift * 5) % users.count]
                    changes.append(try await Change(of: user, isLogin: !loggedIn.contains(user), in: host))
                }
                if generation == generations { continue }
                let answer = try await host.client().call("reload", #"{"module":"account"}"#)
                try expect(answer.contains(#""result""#), "account is not reloaded: \(answer)")
            }
        }
        return changes
    }

    /// Compares who can open a guarded route with who has logged in, in each host.
    private static func compare(_ loggedIn: Set<String>, of users: [String], in hosts: [ServingHost]) async throws {
        for host in hosts {
            let client = try host.client()
            for user in users {
                let answer = try await client.call("open", #"{"route":"list","identity":"\#(user)"}"#)
                let isIn = answer.contains(#""title":"People by company""#)
                try expect(isIn || answer.contains(#""title":"Log in""#), answer)
                try expect(
                    isIn == loggedIn.contains(user),
                    isIn ? "\(user) has logged out, and is let in" : "\(user) has logged in, and is not let in")
                guard let scene = answer.firstMatch(of: /"scene":(\d+)/)?.1 else { throw Failure(answer) }
                _ = try await client.call("close", #"{"scene":\#(scene)}"#)
            }
        }
    }

    private static func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copyManifest("account")
        var manifest = ManifestText("login-server", library: server.library, routes: [])
        manifest.provides = ["http-client"]
        try await root.add(server, manifest)
        try root.folder.write(
            #"{"guards": {"account": ["list"]}, "set": {"account": {"baseURL": "http://127.0.0.1"}}}"#,
            to: "root/host.json")
        return root
    }

    /// A module in place of `http-client`, so that each login succeeds at once.
    private static let server = ModuleFixture(
        "LoginServer",
        """
        import ViperKit

        @c(viper_entry_v1_LoginServer)
        public func loginServerModule() -> UnsafeRawPointer { ModuleEntry.export(LoginServer.self) }

        final class LoginServer: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<LoginServer>) {
                registrar.service(.httpClient, .singleton) { _, _ in Client() }
            }
        }

        struct Client: HTTPClient {
            func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
                let token = "t\\(UInt64.random(in: .min ... .max))"
                return HTTPResponse(status: 200, headers: [:], body: Array("{\\"token\\": \\"\\(token)\\"}".utf8))
            }
        }
        """)
}

/// An open scene in which a user is about to log in or out.
private struct Change {
    private let user: String
    private let isLogin: Bool
    private let client: TestClient
    private let scene: String

    init(of user: String, isLogin: Bool, in host: ServingHost) async throws {
        (self.user, self.isLogin, client) = (user, isLogin, try host.client())
        let route = isLogin ? "login" : "home"
        let answer = try await client.call("open", #"{"route":"\#(route)","identity":"\#(user)"}"#)
        guard let scene = answer.firstMatch(of: /"scene":(\d+)/)?.1 else { throw Failure(answer) }
        self.scene = String(scene)
        if !isLogin { try expect(answer.contains("Welcome, "), answer) }
        for field in isLogin ? ["userName", "password"] : [] {
            let event = #"{"fill":"\#(field)","text":"\#(user)"}"#
            _ = try await client.call("event", #"{"scene":\#(scene),"event":\#(event)}"#)
        }
    }

    func make() async throws {
        let action = isLogin ? "login" : "logout"
        let answer = try await client.call("event", #"{"scene":\#(scene),"event":{"press":"\#(action)"}}"#)
        try expect(
            answer.contains(isLogin ? "Welcome, " : #""title":"Log in""#) && !answer.contains(#""alert""#),
            "\(action) of \(user): \(answer)")
    }
}

import HostDriver
import TestSupport
import Testing

/// The credential store of a module that two hosts use at the same time, one of them in workers.
@Suite(.fewAtOnce, .hangLimit)
struct SharedCredentialTests {
    private static let counter = ModuleFixture(
        "Counter",
        """
        import ViperKit

        @c(viper_entry_v1_Counter)
        public func counterModule() -> UnsafeRawPointer { ModuleEntry.export(Counter.self) }

        final class Counter: Module {
            private let store: any CredentialStore

            init(services: any ServiceResolver) throws { store = try services.resolve(.credentialStore) }

            static func register(with registrar: Registrar<Counter>) {
                registrar.route("counter") { module, _ in CounterView(store: module.store) }
            }
        }

        final class CounterView: View {
            private(set) var screen = Screen(title: "Counter")
            private let store: any CredentialStore

            init(store: any CredentialStore) {
                self.store = store
                screen.actions = [Action(id: "add", title: "Add 1")]
            }

            func handle(_ event: Event) async {
                do throws(ViperError) { try await add() } catch { screen.text = "\\(error)" }
            }

            private func add() async throws(ViperError) {
                while true {
                    let old = try await store.credential()
                    let number = (old.flatMap { Int($0.secret) } ?? 0) + 1
                    let new = Credential(user: "counter", secret: "\\(number)")
                    if try await store.replace(old, with: new) { return screen.text = "added \\(number)" }
                }
            }
        }
        """)

    private static func host(_ root: ScratchRoot, state: String, isolation: String?) async throws -> ServingHost {
        var manifest = ManifestText("counter", library: counter.library, routes: ["counter"])
        (manifest.sdk, manifest.requires, manifest.isolation) = ("1.1", ["credential-store"], isolation)
        try await root.add(counter, manifest)
        return try await ServingHost(root, "--state", state)
    }

    @Test("No replacement in two generations of two hosts is lost, also if one runs the module in workers")
    func replacements() async throws {
        let state = try ScratchFolder()
        let roots = try [ScratchRoot(), ScratchRoot()]
        let hosts = [
            try await Self.host(roots[0], state: state.path, isolation: nil),
            try await Self.host(roots[1], state: state.path, isolation: "process"),
        ]
        var scenes: [(client: TestClient, scene: Substring)] = []
        for host in hosts {
            for generation in 1...2 {
                let client = try host.client()
                let answer = try await client.call("open", #"{"route":"counter"}"#)
                scenes.append((client, try #require(answer.firstMatch(of: /"scene":(\d+)/), "\(answer)").1))
                if generation == 2 { continue }
                let reloaded = try await client.call("reload", #"{"module":"counter"}"#)
                #expect(reloaded.contains(#""result""#), "\(reloaded)")
            }
        }
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for (client, scene) in scenes {
                group.addTask {
                    var numbers: [Int] = []
                    for _ in 0..<10 {
                        let answer = try await client.call(
                            "event", #"{"scene":\#(scene),"event":{"press":"add"}}"#)
                        let number = answer.firstMatch(of: /added (\d+)/).flatMap { Int($0.1) }
                        numbers.append(try #require(number, "\(answer)"))
                    }
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...40))
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// Modules that use all providers of a service, in the built host.
@Suite(.fewAtOnce, .hangLimit)
struct CollectTests {
    private let root: ScratchRoot
    private let state: [String: String]

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    private func replace(_ name: String, with fixture: ModuleFixture) async throws {
        let library = try await fixture.compiled()
        let new = "\(root.folder.path)/\(UUID()).so"
        try FileManager.default.copyItem(atPath: library, toPath: new)
        try #require(rename(new, "\(root.path)/Plugins/lib\(name).so") == 0)
    }

    private func serve() async throws -> (ServingHost, TestClient) {
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["screens"]}"#)
        return (host, client)
    }

    @Test("All providers are collected, also those that a choice rules out, and without providers the list is empty")
    func list() async throws {
        try await root.add(.collector(), .collector)
        #expect(try await root.host("run", "words", environment: state).text.hasPrefix("Words\n"))
        for name in ["one", "two"] { try await root.add(.speaker("hi from \(name)"), .speaker(name)) }
        for options in [[], ["--use", "word=two"]] {
            let shown = try await root.host("run", "words", environment: state) { $0.arguments += options }
            #expect(shown.text.contains("one says hi from one, two says hi from two\n"), "\(shown)")
        }
        let services = try await root.host("services", environment: state)
        #expect(services.text.contains(/\nword +one, two +collector \(all\)\n/), "\(services)")
        let json = try await root.host("services", "--format", "json", environment: state)
        #expect(json.text.contains(/"collectedBy" ?: ?\[\s*"collector"/), "\(json)")
        #expect(try await root.host("test", "collector", environment: state).ending == .code(0))
    }

    @Test("An open scene sees providers that are added, replaced and removed, and can still call the replaced one")
    func live() async throws {
        try await root.add(.collector(), .collector)
        try await root.add(.speaker("hi"), .speaker("one"))
        let (host, client) = try await serve()
        #expect(try await client.call("open", #"{"route":"words"}"#).contains(#""text":"one says hi""#))
        try await root.add(.speaker("hello"), .speaker("two"))
        _ = try await client.line(with: "one says hi, two says hello\"")
        try await replace("one", with: .speaker("ahoy"))
        _ = try await client.line(with: "one says ahoy, two says hello\"")
        #expect(try await client.call("event", #"{"scene":1,"event":{"press":"call"}}"#).contains("first hi\""))
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/two.json")
        _ = try await client.line(with: "one says ahoy\"")
        // The collector was not created again, and it does not keep the host from ending.
        #expect(
            try await client.call("statistics").contains(
                /"generations":1,"isolation":"none","loads":1,"module":"collector"/))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test("A replaced provider stops, although a scene keeps its earlier service")
    func stopping() async throws {
        try await root.add(.collector(), .collector)
        let tell = { (text: String) in "write(2, \"\(text)\\n\", \(text.utf8.count + 1))" }
        try await root.add(.speaker("hi", making: tell("made 1"), stop: tell("stopped 1")), .speaker("one"))
        let (host, client) = try await serve()
        #expect(try await client.call("open", #"{"route":"words"}"#).contains("one says hi"))
        // Trials make and stop an instance too.
        let trials = host.log.components(separatedBy: "stopped 1\n").count - 1
        try await replace("one", with: .speaker("ahoy"))
        _ = try await client.line(with: "one says ahoy")
        #expect(host.log.components(separatedBy: "stopped 1\n").count - 1 == trials)
        #expect(await eventually { host.log.components(separatedBy: "stopped 1\n").count - 1 > trials })
        #expect(try await client.call("event", #"{"scene":1,"event":{"press":"call"}}"#).contains("first hi"))
    }

    @Test(
        "A provider that fails is left out with one line in the log, until it is replaced",
        arguments: [
            ModuleFixture.speaker("bad", factory: "throw Mishap()"),
            .speaker("bad", factory: "try await Task.sleep(for: .seconds(1000))"),
            .speaker("bad", making: "if getenv(\"VIPER_NEVER\") == nil { throw Mishap() }"),
            .speaker("bad", type: "@Sendable () -> Substring"),
        ])
    func failing(bad: ModuleFixture) async throws {
        try await root.add(.collector(), .collector)
        try await root.add(.speaker("hi"), .speaker("one"))
        try await root.add(bad, .speaker("two"))
        let (host, client) = try await serve()
        let other = try host.client()
        for client in [client, other] {
            let opened = try await client.call("open", #"{"route":"words"}"#)
            #expect(opened.contains(#""text":"one says hi""#), "\(opened)")
        }
        // A module that cannot be created is refused, and the log says so.
        let isRefused = bad.source.contains("VIPER_NEVER")
        let line =
            isRefused
            ? "two is refused"
            : bad.source.contains("Substring") ? "\"word\": it is requested as" : "cannot collect service \"word\""
        if !isRefused { try await host.wait(forLog: line) }
        // An unrelated change does not run the factory again.
        try root.add(ManifestText("other", library: "libOther.so", routes: ["other"]))
        try await other.wait("modules", "{}", for: #""module":"other""#)
        if !isRefused { #expect(host.log.components(separatedBy: line).count == 2, "\(host.log)") }
        try await replace("two", with: .speaker("fine"))
        _ = try await client.line(with: "one says hi, two says fine")
    }

    @Test("A module and a provider of what it collects may need each other")
    func cycle() async throws {
        var collector = ManifestText.collector
        collector.provides = ["left"]
        let left = #"registrar.service(ServiceKey<String>("left"), .singleton) { _, _ in "left" }"#
        try await root.add(.collector(providing: left), collector)
        var speaker = ManifestText.speaker("one")
        speaker.requires = ["left"]
        let fixture = ModuleFixture.speaker("hi", making: #"_ = try services.resolve(ServiceKey<String>("left"))"#)
        try await root.add(fixture, speaker)
        let (host, client) = try await serve()
        #expect(try await client.call("open", #"{"route":"words"}"#).contains("one says hi"))
        try await replace(
            "one", with: .speaker("ahoy", making: #"_ = try services.resolve(ServiceKey<String>("left"))"#))
        _ = try await client.line(with: "one says ahoy")
        host.send(SIGTERM)
        // Neither waits for the other, nor for the time in which the replaced provider can still be used.
        #expect(try await host.end() == .code(0))
    }

    @Test("A module whose provider collects cannot be isolated")
    func isolatedProvider() async throws {
        var collector = ManifestText.collector
        collector.provides = ["left"]
        let left = #"registrar.service(ServiceKey<String>("left"), .singleton) { _, _ in "left" }"#
        try await root.add(.collector(providing: left), collector)
        let user = ModuleFixture(
            "User",
            """
            import ViperKit

            @c(viper_entry_v1_User)
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(User.self) }

            final class User: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<User>) {
                    registrar.route("user") { _, _ in UserView() }
                }
            }

            final class UserView: View { let screen = Screen(title: "User") }
            """)
        var manifest = ManifestText("user", library: "libUser.so", routes: ["user"])
        manifest.requires = ["left"]
        try await root.add(user, manifest)
        let run = try await root.host("run", "user", environment: state) { $0.arguments += ["--isolate", "user"] }
        #expect(
            run.errors.contains("cannot isolate \"user\": of its provider \"collector\": it collects \"word\""),
            "\(run)")
    }

    @Test("A module that collects cannot be isolated, and one that does not say so gets an error")
    func refused() async throws {
        try await root.add(.collector(), .collector)
        try root.folder.write(#"{"isolate": ["collector"]}"#, to: "root/host.json")
        let modules = try await root.host("modules", environment: state)
        #expect(
            modules.text.contains(
                "cannot isolate \"collector\": it collects \"word\", and a service cannot be used from another process"),
            "\(modules)")
        try root.folder.write("{}", to: "root/host.json")
        var silent = ManifestText.collector
        silent.collects = []
        try root.add(silent)
        let run = try await root.host("run", "words", environment: state)
        #expect(run.text.contains("the module \"collector\" does not collect it"), "\(run)")
        #expect(run.text.contains("add \"word\" to \"collects\" in Manifests/collector.json"), "\(run)")
    }
}

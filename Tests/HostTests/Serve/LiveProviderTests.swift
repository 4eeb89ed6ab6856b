import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct LiveProviderTests {
    private let root: ScratchRoot
    private let state: [String: String]

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    @Test(
        "If one of two modules that need each other can do without, both work in any order",
        arguments: [true, false])
    func optionalCycle(isReversed: Bool) async throws {
        var (a, b) = (ManifestText.partner("a"), ManifestText.partner("b"))
        a.requires = b.provides
        b.optional = a.provides
        for manifest in [a, b] { try await root.add(.partner, manifest) }
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        let titles = [("a", #"a has [\"of-b\"]"#), ("b", "b has []")]
        for (route, title) in isReversed ? titles.reversed() : titles {
            let answer = try await client.call("open", #"{"route":"\#(route)"}"#)
            #expect(answer.contains(#""title":"\#(title)""#), "\(answer)")
        }
    }

    @Test("Two modules that optionally use each other get no service, with the reason and a fix")
    func mutualOption() async throws {
        var (a, b) = (ManifestText.partner("a"), ManifestText.partner("b"))
        (a.optional, b.optional) = (b.provides, a.provides)
        for manifest in [a, b] { try await root.add(.partner, manifest) }
        let shown = try await root.host("run", "a", environment: state)
        let cause = #"its provider "b" needs "a" itself: a → b → a"#
        #expect(shown.text.hasPrefix("a has []\n"), "\(shown)")
        #expect(shown.text.contains("cannot resolve service \"of-b\": \(cause)\n"), "\(shown)")
        #expect(shown.text.contains(#"remove "of-a" from "optional" in Manifests/b.json"#), "\(shown)")
        let services = try await root.host("services", environment: state)
        #expect(services.text.contains("\nservice \"of-b\" is withheld from module a: \(cause)\n"), "\(services)")
        #expect(services.text.contains("\nservice \"of-a\" is withheld from module b: "), "\(services)")
        let modules = try await root.host("modules", environment: state)
        #expect(modules.text.contains("\nmodule a: cannot get service \"of-b\": \(cause)\n"), "\(modules)")
        #expect(modules.text.contains("\nmodule b: cannot get service \"of-a\": "), "\(modules)")
        b.optional = []
        try root.add(b)
        #expect(try await root.host("run", "a", environment: state).text.hasPrefix("a has [\"of-b\"]\n"))
        #expect(try await !root.host("services", environment: state).text.contains("is withheld"))
    }

    @Test("If two modules provide a service, --use selects one, as the error suggests")
    func chosen() async throws {
        var second = ManifestText.keeper
        (second.name, second.library) = ("second", "libSecond.so")
        try await root.add(.keeper("one"), .keeper)
        try await root.add(.keeper("two"), second)
        try await root.add(.teller, .teller())
        let refused = try await root.host("run", "teller", environment: state)
        let fix =
            "choose one with --use word=NAME, where NAME is one of keeper, second; or remove all but one"
        #expect(refused.ending == .code(78) && refused.errors.contains(fix), "\(refused)")
        let listed = try await root.host("services")
        #expect(listed.text.contains(/\nword +keeper, second +teller\n/), "\(listed)")
        for (name, title) in [("keeper", "one"), ("second", "two")] {
            let chosen = try await root.host("run", "teller", "--use", "word=\(name)", environment: state)
            #expect(chosen.ending == .code(0) && chosen.text == title + "\n", "\(chosen)")
            let services = try await root.host("services", "--use", "word=\(name)")
            #expect(services.text.contains("\(name) (selected)"), "\(services)")
        }
    }

    @Test(
        "One module gets another provider than the rest, in a serving host and in a worker", arguments: [false, true])
    func single(isIsolated: Bool) async throws {
        var (second, other) = (ManifestText.keeper, ManifestText.teller())
        (second.name, second.library) = ("second", "libSecond.so")
        (other.name, other.library, other.routes) = ("other", "libOther.so", ["user"])
        if isIsolated { other.isolation = "process" }
        try await root.add(.keeper("one"), .keeper)
        try await root.add(.teller, .teller())
        try await root.add(.teller, other)
        try root.folder.write(#"{"use": {"word": "keeper", "other.word": "second"}}"#, to: "root/host.json")
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"teller"}"#).contains(#""title":"one""#))
        #expect(host.log.contains("host.json $.use.other.word: \"second\" does not provide the service \"word\""))
        let refused = try await client.call("open", #"{"route":"user"}"#)
        #expect(refused.contains(#"whose chosen provider \"second\" does not provide it"#), "\(refused)")
        // The chosen provider arrives later, and is replaced.
        try await root.add(.keeper("two"), second)
        try await client.wait("open", #"{"route":"user"}"#, for: #""title":"two""#)
        let new = "\(root.folder.path)/new.so"
        try FileManager.default.copyItem(atPath: await ModuleFixture.keeper("three").compiled(), toPath: new)
        try #require(rename(new, "\(root.path)/Plugins/libSecond.so") == 0)
        try await client.wait("open", #"{"route":"user"}"#, for: #""title":"three""#)
        #expect(try await client.call("open", #"{"route":"teller"}"#).contains(#""title":"one""#))
        let via = ["--via", host.socket]
        let services = try await ChildProcess(root.executable, ["services"] + via).run()
        #expect(
            services.text.contains(/\nword +keeper \(selected\), second +other \(from second\), teller\n/),
            "\(services)")
        let modules = try await ChildProcess(root.executable, ["modules"] + via).run()
        #expect(modules.text.contains("\nmodule other gets the service \"word\" from \"second\"\n"), "\(modules)")
    }

    @Test(
        "A provider's crash quarantines only the provider, and its users work once it is fixed",
        arguments: [("dropped in", false), ("isolated", false), ("dropped in", true)])
    func crash(_ way: String, isOptional: Bool) async throws {
        // Named so that the host looks at this module before its provider.
        var consumer = ManifestText.teller(optional: isOptional)
        consumer.name = "a-teller"
        let crashing = ModuleFixture.keeper("one", making: "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1")
        try await root.copy(ModuleFixture.teller.compiled(), to: consumer.library)
        try await root.copy(crashing.compiled(), to: "libKeeper.so")
        for manifest in [consumer, .keeper] { try root.folder.write(manifest.text, to: "new/\(manifest.name).json") }
        let place = { try #require(rename("\(root.folder.path)/new", "\(root.path)/Manifests") == 0) }
        if way == "isolated" { try place() }
        let host = try await ServingHost(root, environment: state) {
            if way == "isolated" { $0.arguments += ["--isolate", "a-teller"] }
        }
        let client = try host.client()
        if way == "dropped in" {
            try place()
            try await client.wait("modules", "{}", for: "library-quarantined")
        }
        let answer = try await client.call("open", #"{"route":"teller"}"#)
        #expect(answer.contains(isOptional ? #""title":"nothing""# : "requirement-unmet"), "\(answer)")
        let quarantined = try await root.host("quarantine", environment: state)
        #expect(quarantined.text.contains("\nkeeper  libKeeper.so  make "), "\(quarantined)")
        #expect(!quarantined.text.contains("teller"), "\(quarantined)")
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/libKeeper.so")
        try await root.copy(ModuleFixture.keeper("one").compiled(), to: "libKeeper.so")
        try await client.wait("open", #"{"route":"teller"}"#, for: #""title":"one""#)
    }
}

import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Changes of installed modules that clients of a serving host ask for.
@Suite(.fewAtOnce, .hangLimit)
struct InstallServedTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }

    init() throws { fixture = try InstallFixture() }

    @Test("One change runs, four wait, the next one is busy, and those of a client that has left are cancelled")
    func busy() async throws {
        let library = try await fixture.packed("1")
        let installed = try await root.host("install", library, "--yes")
        #expect(installed.ending == .code(0), "\(installed)")
        let host = try await ServingHost(root, environment: fixture.state)
        let (first, leaving, last) = (try host.client(), try host.client(), try host.client())
        // While another process holds the lock, the change that runs cannot end.
        let lock = open(fixture.versions + "/.lock", O_RDWR | O_CLOEXEC)
        #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let running = try first.begin("disable", #"{"module":"version"}"#)
        _ = try await first.call("ping")
        #expect(try await leaving.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        for _ in 1...4 { try leaving.begin("install", #"{"file":"\#(library)"}"#) }
        _ = try await leaving.call("ping")
        let refused = try await last.call("install", #"{"file":"\#(library)"}"#)
        #expect(refused.contains(#""code":"busy""#) && refused.contains("and 4 are waiting"), "\(refused)")
        #expect(try await last.call("reload", #"{"module":"version"}"#).contains(#""code":"busy""#))

        leaving.vanish()
        try await last.wait("statistics", "{}", for: #""openScenes":0"#)
        var waiting = 0
        let hasPlace = try await eventually {
            waiting = try last.begin("enable", #"{"module":"version"}"#)
            // The host answers a call that it refuses before it reads the next one.
            _ = try await last.call("statistics")
            return try last.nextLine(within: .zero) { [waiting] in $0.contains(#""id":\#(waiting),"#) } == nil
        }
        #expect(hasPlace)
        close(lock)
        #expect(try await first.answer(to: running).contains(#""isChanged":true"#))
        #expect(try await last.answer(to: waiting).contains(#""isChanged":true"#))
        #expect(try await last.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test("A client's digest is checked, and a file that others can write to needs it")
    func digest() async throws {
        let library = try await fixture.packed("1")
        let digest = try await fixture.digest(of: library)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: library)
        let host = try await ServingHost(root, environment: fixture.state)
        let client = try host.client()
        #expect(try await client.call("install", #"{"file":"\#(library)"}"#).contains("path-untrusted"))
        let other = try await client.call(
            "install", #"{"file":"\#(library)","sha256":"\#(String(repeating: "0", count: 64))"}"#)
        #expect(other.contains("library-invalid"), "\(other)")
        let named = try await client.call("install", #"{"file":"\#(library)","sha256":"\#(digest)"}"#)
        #expect(named.contains(#""sha256":"\#(digest)""#), "\(named)")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test("host run uses the new version of a library that is replaced after its manifest was read")
    func replacedDuringRun() async throws {
        let tellers = [
            try await fixture.packed(.teller, .teller(), version: "1.0.0"),
            try await fixture.packed(.teller, .teller(), version: "2.0.0"),
        ]
        let plugins = "\(root.path)/Plugins"
        // The provider is created before the library of its user is read.
        var keeper = ModuleFixture.keeper(
            "word", making: #"_ = rename("\#(tellers[1])", "\#(plugins)/libTeller.so")"#)
        keeper.source = "import Glibc\n" + keeper.source
        try await root.add(keeper, .keeper)
        try copyFile(tellers[0], to: "\(plugins)/libTeller.so")
        let result = try await root.host("run", "teller", environment: fixture.state)
        #expect(result.ending == .code(0), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: tellers[1]))
        let modules = try await root.host("modules")
        #expect(modules.text.contains(/teller +2\.0\.0/), "\(modules)")
    }
}

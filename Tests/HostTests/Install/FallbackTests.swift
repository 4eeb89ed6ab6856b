import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The use of an earlier version after the current one has ended its host too often.
@Suite(.fewAtOnce, .hangLimit)
struct FallbackTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }
    private var lock: String { "\(root.path)/Manifests/modules.lock" }

    init() throws { fixture = try InstallFixture() }

    /// Installs version 1.0.0, and 2.0.0, which ends its host at an event.
    private func install() async throws {
        for library in [try await fixture.packed("1"), try await fixture.packed("2", event: "abort()")] {
            #expect(try await fixture.host("install", library, "--yes").ending == .code(0))
        }
    }

    /// Lets version 2.0.0 end three hosts, and returns the next host.
    private func crash() async throws -> ServingHost {
        for _ in 1...3 {
            let serving = try await ServingHost(root, environment: fixture.state)
            let client = try serving.client()
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"2""#))
            try client.begin("event", #"{"scene":1,"event":{"press":"go"}}"#)
            #expect(try await serving.end() == .signal(SIGABRT))
        }
        return try await ServingHost(root, environment: fixture.state)
    }

    @Test("A library that has ended its host is replaced by the version before it, and the log and the list say so")
    func fallback() async throws {
        try await install()
        let serving = try await crash()
        let line = "host: warning: module version: version 1.0.0 is used again, because 2.0.0 is quarantined\n"
        #expect(serving.log.contains(line), "\(serving.log)")
        let client = try serving.client()
        try await client.wait(for: #""title":"1""#)
        // No file in Manifests describes the module.
        #expect(!serving.log.contains("differs from the one"), "\(serving.log)")
        let modules = try await fixture.host("modules")
        let note = "\nmodule version: version 1.0.0 is used, because 2.0.0 is quarantined\n"
        #expect(modules.text.contains(/version +1\.0\.0 +resolved/) && modules.text.contains(note), "\(modules)")
        #expect(try await fixture.host("modules", "version").text.contains("2.0.0, which is quarantined"))
        // The quarantined version is skipped.
        let none = try await fixture.host("rollback", "version", "--yes")
        #expect(none.ending == .code(66) && none.errors.contains("all earlier versions are quarantined"), "\(none)")
    }

    @Test("In a root with a lock, the quarantined version stays until a person rolls it back")
    func locked() async throws {
        try await install()
        #expect(try await fixture.host("lock").ending == .code(0))
        let files = [lock, fixture.installed]
        let before = try files.map { try Data(contentsOf: URL(filePath: $0)) }
        let serving = try await crash()
        #expect(try files.map { try Data(contentsOf: URL(filePath: $0)) } == before)
        let line =
            "host: error: module version: version 1.0.0 is not used again, because Manifests/modules.lock names 2.0.0; "
        #expect(serving.log.contains(line + "use it with host rollback version\n"), "\(serving.log)")
        let client = try serving.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("library-quarantined"))
        let back = try await fixture.host("rollback", "version", "--yes")
        #expect(back.ending == .code(0) && back.text.hasSuffix("\nUpdated Manifests/modules.lock\n"), "\(back)")
        try await client.wait(for: #""title":"1""#)
    }

    @Test("After a fallback, rollback uses the newer version only if it is named, with any state folder")
    func forward() async throws {
        try await install()
        _ = try await crash()
        let other = ["XDG_STATE_HOME": "\(root.folder.path)/other"]
        let list = try await root.host("modules", "version", environment: other)
        #expect(list.text.contains("2.0.0, which has ended its host"), "\(list)")
        let refused = try await root.host("rollback", "version", "--yes", environment: other)
        #expect(refused.ending == .code(66), "\(refused)")
        #expect(
            refused.errors.contains(
                "all earlier versions are quarantined or have ended their host\n  versions  2.0.0\n"),
            "\(refused)")
        #expect(try await fixture.title() == "1")
        let named = try await root.host("rollback", "version", "2.0.0", "--yes", environment: other)
        #expect(named.ending == .code(0) && named.text.contains("version 1.0.0 -> 2.0.0"), "\(named)")
        // A person has used it again, so it is a version like any other.
        for (text, title) in [("2.0.0 -> 1.0.0", "1"), ("1.0.0 -> 2.0.0", "2")] {
            let result = try await root.host("rollback", "version", "--yes", environment: other)
            #expect(result.text.contains(text), "\(title): \(result)")
        }
    }
}

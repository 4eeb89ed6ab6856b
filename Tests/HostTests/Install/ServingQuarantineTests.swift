import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Commands on a root whose serving host has another state folder.
@Suite(.fewAtOnce, .hangLimit)
struct ServingQuarantineTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }
    private var service: [String: String] { ["XDG_STATE_HOME": "\(root.folder.path)/service"] }

    init() throws { fixture = try InstallFixture() }

    /// Installs version 1.0.0 and 2.0.0, which ends its host at an event, and lets it end three hosts of the service.
    private func crash() async throws {
        for library in [try await fixture.packed("1"), try await fixture.packed("2", event: "abort()")] {
            #expect(try await fixture.host("install", library, "--yes").ending == .code(0))
        }
        // With a lock, the host does not use version 1.0.0 again.
        #expect(try await fixture.host("lock").ending == .code(0))
        for _ in 1...3 {
            let serving = try await ServingHost(root, environment: service)
            let client = try serving.client()
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"2""#))
            try client.begin("event", #"{"scene":1,"event":{"press":"go"}}"#)
            #expect(try await serving.end() == .signal(SIGABRT))
        }
    }

    private func records() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.folder.path + "/run").filter { $0.hasSuffix(".json") }
    }

    @Test("A command reads the quarantine of the host that serves its root, and ignores that of a killed host")
    func rollback() async throws {
        try await crash()
        let serving = try await ServingHost(root, environment: service)
        // The records of the hosts that have crashed are removed.
        #expect(try records().count == 1)
        for words in [["run", "version"], ["check"], ["modules", "version"], ["why", "version"]] {
            let result = try await root.host(environment: fixture.state) { $0.arguments = words + $0.arguments }
            #expect("\(result)".contains("it is quarantined after 3"), "\(words): \(result)")
            // The command finds the host's state folder itself.
            #expect("\(result)".contains("host quarantine retry version\n"), "\(words): \(result)")
        }
        // The state folder of this command has no quarantine.
        let back = try await fixture.host("rollback", "version", "--yes")
        #expect(back.ending == .code(0) && back.text.contains("version 2.0.0 -> 1.0.0\n"), "\(back)")
        let again = try await fixture.host("rollback", "version", "--yes")
        #expect(again.ending == .code(66) && again.errors.contains("all earlier versions are quarantined"), "\(again)")
        // A version that the serving host has quarantined is not used by name either.
        let byName = try await fixture.host("rollback", "version", "2.0.0", "--yes")
        #expect(byName.ending == .code(78) && byName.errors.contains("it is quarantined after 3"), "\(byName)")
        let installed = try await fixture.host("install", "\(root.folder.path)/version-2.0.0/libVersion.so", "--yes")
        #expect(installed.ending == .code(78) && installed.errors.contains("it is quarantined after 3"), "\(installed)")
        let list = try await fixture.host("quarantine")
        #expect(list.text.contains(/version +libVersion\.so +host/), "\(list)")
        serving.send(SIGKILL)
        #expect(try await serving.end() == .signal(SIGKILL))
        #expect(try records().count == 1)
        #expect(try await fixture.host("quarantine").text == "MODULE  LIBRARY  PHASE  ENDING  WHEN  DIGEST\n")
        // The version that was left because it ended its hosts is used again only by name.
        let forward = try await fixture.host("rollback", "version", "--yes")
        #expect(forward.ending == .code(66) && forward.errors.contains("have ended their host"), "\(forward)")
        let named = try await fixture.host("rollback", "version", "2.0.0", "--yes")
        #expect(named.ending == .code(0) && named.text.contains("version 1.0.0 -> 2.0.0\n"), "\(named)")
    }

    @Test("A retry removes the reports of the host that serves the root, which then uses the library")
    func retry() async throws {
        try await crash()
        let serving = try await ServingHost(root, environment: service)
        let client = try serving.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("it is quarantined after 3"))
        let retry = try await fixture.host("quarantine", "retry", "version")
        #expect(retry.ending == .code(0), "\(retry)")
        #expect(try await fixture.host("quarantine").text == "MODULE  LIBRARY  PHASE  ENDING  WHEN  DIGEST\n")
        let isUsed = try await eventually {
            try await client.call("open", #"{"route":"version"}"#).contains(#""title":"2""#)
        }
        #expect(isUsed)
    }

    @Test("The record is in the folder of the service, and is removed when the host ends")
    func place() async throws {
        let folder = root.folder.path + "/unit"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let environment = ["RUNTIME_DIRECTORY": folder + ":/other"]
        let serving = try await ServingHost(root, environment: environment)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        #expect(name.hasPrefix("viper-host-") && name.hasSuffix("-\(serving.process).json"))
        let record = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        #expect(record.contains(#""socket":"\#(serving.socket)""#), "\(record)")
        serving.send(SIGTERM)
        #expect(try await serving.end() == .code(0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        #expect(try records() == [])
        // A folder that other users can change names no host.
        #expect(chmod(folder, 0o777) == 0)
        let open = try await ServingHost(root, environment: environment)
        #expect(open.log.contains("cannot find the quarantine of this host: cannot use folder"), "\(open.log)")
    }
}

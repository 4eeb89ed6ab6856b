import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The service `registry`, as a module of the built host reads it.
@Suite(.fewAtOnce, .hangLimit)
struct RegistryTests {
    private let root: ScratchRoot
    private let state: [String: String]

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
    }

    @Test("A module reads services, and statistics, in the host's process and in a worker", arguments: [false, true])
    func values(isIsolated: Bool) async throws {
        try await root.add(.lister, .lister(isIsolated: isIsolated))
        try await root.add(.keeper("one"), .keeper)
        var second = ManifestText.keeper
        (second.name, second.library) = ("second", "libSecond.so")
        try await root.add(.keeper("two"), second)
        try await root.add(.teller, .teller())
        let host = try await ServingHost(
            root, "--use", "word=keeper", "--use", "teller.word=second", environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"teller"}"#).contains(#""title":"two""#))
        let opened = try await client.call("open", #"{"route":"registry"}"#)
        // A call is counted when it returns: open and load.
        #expect(opened.contains("teller active - calls 2 failed 0 open 1 loads 1"), "\(opened)")
        #expect(opened.contains("keeper resolved - calls 0 failed 0 open 0 loads 0"), "\(opened)")
        let word = #"word of keeper in [\"keeper\", \"second\"] for [\"teller\"] all [] [\"teller\": \"second\"]"#
        #expect(opened.contains(word), "\(opened)")
        #expect(opened.contains("clock of host in") && opened.contains("teller of teller"), "\(opened)")
        #expect(try await client.call("event", #"{"scene":1,"event":{"press":"none"}}"#).contains("error"))
        _ = try await client.call("close", #"{"scene":1}"#)
        let read = try await client.call("event", #"{"scene":2,"event":{"press":"read"}}"#)
        #expect(read.contains("teller active - calls 3 failed 1 open 0 loads 1"), "\(read)")
        #expect(try await client.workers().count == (isIsolated ? 1 : 0))
    }

    @Test("A change of a module's work is a change of the registry", arguments: [false, true])
    func runs(isIsolated: Bool) async throws {
        try await root.add(.lister, .lister(isIsolated: isIsolated))
        let gate = "\(root.folder.path)/gate"
        let wait = "while access(\"\(gate)\", F_OK) != 0 { try await Task.sleep(for: .milliseconds(5)) }"
        var manifest = ManifestText.version()
        manifest.runs = "true"
        try await root.add(.version("1", run: wait), manifest)
        let host = try await ServingHost(root, environment: state)
        let (client, watcher) = (try host.client(), try host.client())
        _ = try await client.call("subscribe", #"{"to":["screens"]}"#)
        try await client.wait("modules", "{}", for: #""run":"running""#)
        _ = try await watcher.call("subscribe", #"{"to":["registry"]}"#)
        #expect(try await client.call("open", #"{"route":"registry"}"#).contains("version active running"))
        try root.folder.write("", to: "gate")
        let change = try await watcher.line(with: #""run":"finished""#)
        #expect(change.contains(#""module":"version""#) && change.contains(#""state":"active""#), "\(change)")
        _ = try await client.line(with: "version active finished")
    }

    @Test("Only a worker's host can tell it about changes of the registry")
    func notAWorker() async throws {
        let host = try await ServingHost(root, environment: state)
        #expect(try await host.client().call("registry").contains("method-unknown"))
    }
}

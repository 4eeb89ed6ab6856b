import Foundation
import HostDriver
import TestSupport
import Testing

/// Contracts of a host that serves while they change.
@Suite(.fewAtOnce, .hangLimit)
struct LiveContractTests {
    private let fixture: ContractFixture
    private var root: ScratchRoot { fixture.root }

    init() async throws {
        fixture = try await ContractFixture()
        try fixture.writeContract("1.0.0")
        try fixture.writeProvider()
        try fixture.writeUser("Hello")
        for source in ["GreeterAPI", "Provider", "Hello"] { try await fixture.expectBuilt(source) }
    }

    private func via(_ host: ServingHost, _ arguments: String...) async throws -> ChildResult {
        try await ChildProcess(
            root.executable, arguments + ["--via", host.socket], environment: root.environment
        ).run()
    }

    @Test("Modules share one instance of a provider, and a loaded version stays until the host is started again")
    func replacement() async throws {
        let host = try await ServingHost(root)
        #expect(try await via(host, "run", "hello").text == "Hello\nGood day 1, Ann\n")
        try fixture.writeUser("Again")
        try await fixture.expectBuilt("Again")
        try await host.wait(forLog: "again 1.0.0")
        #expect(try await via(host, "run", "again").text == "Again\nGood day 2, Ann\n")

        try fixture.writeContract11()
        try await fixture.expectBuilt("GreeterAPI")
        let reason =
            "keeps module greeter-api 1.0.0: cannot use contract \"greeter-api 1.1.0\": this process has loaded version "
            + "1.0.0, and cannot load a second one"
        try await host.wait(forLog: reason)
        let listing = try await via(host, "modules")
        #expect(listing.text.contains("\n\(reason)\n  fix: restart the host to use it\n"), "\(listing)")
        #expect(try await via(host, "run", "hello").text == "Hello\nGood day 3, Ann\n")

        try fixture.writeUser11()
        try await fixture.expectBuilt("Bye")
        try await host.wait(forLog: "bye 1.0.0 is refused")
        let refused = try await via(host, "run", "bye")
        #expect(refused.errors.contains("and this host has loaded version 1.0.0\n"), "\(refused)")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))

        let next = try await ServingHost(root)
        #expect(try await via(next, "run", "bye").text == "Bye\nBye, Ann\n")
        #expect(try await via(next, "run", "hello").text == "Hello\nGood day 1, Ann\n")
        #expect(try await via(next, "modules").text.contains(/greeter-api +1\.1\.0 +active/))
    }

    @Test("A worker loads the contracts of its module")
    func isolated() async throws {
        let host = try await ServingHost(root, "--isolate", "hello", "--isolate", "greeter-api")
        #expect(try await via(host, "run", "hello").text == "Hello\nGood day 1, Ann\n")
        // The host's process has no user of the contract, so it has not loaded it, and replaces it at once.
        #expect(try await via(host, "modules").text.contains(/greeter-api +1\.0\.0 +resolved/))
        try fixture.writeContract11()
        try await fixture.expectBuilt("GreeterAPI")
        try fixture.writeUser11()
        try await fixture.expectBuilt("Bye")
        try await host.wait(forLog: "bye 1.0.0")
        #expect(try await via(host, "run", "bye").text == "Bye\nBye, Ann\n")
        #expect(try await via(host, "run", "hello").text == "Hello\nGood day 1, Ann\n")
        #expect(try await via(host, "modules").text.contains(/greeter-api +1\.1\.0 +active/))
    }

    @Test("A module that nobody has opened runs with its contracts", arguments: ["none", "process"])
    func running(isolation: String) async throws {
        try fixture.writeRunner(isolation: isolation)
        try await fixture.expectBuilt("Runner")
        let host = try await ServingHost(root)
        try await host.wait(forLog: "Good day 1, Ann\n")
        #expect(try await via(host, "modules").text.contains(/runner +1\.0\.0 +active +(running|finished)/))
    }
}

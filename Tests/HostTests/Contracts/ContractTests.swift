import Foundation
import HostDriver
import TestSupport
import Testing

/// Contracts: libraries with declarations that modules share. All libraries are built by the real host, outside the
/// checkout.
@Suite(.fewAtOnce, .hangLimit)
struct ContractTests {
    private let fixture: ContractFixture
    private var root: ScratchRoot { fixture.root }

    init() async throws { fixture = try await ContractFixture() }

    /// Builds version 1.0 of the contract, its provider, and a module that uses it.
    private func buildFirst() async throws {
        try fixture.writeContract("1.0.0")
        try fixture.writeProvider()
        try fixture.writeUser("Hello")
        for source in ["GreeterAPI", "Provider", "Hello"] { try await fixture.expectBuilt(source) }
    }

    @Test("Modules built for 1.0 run on 1.1, a module built for 1.1 is refused on 1.0, and 2.0 beside users of 1.x")
    func life() async throws {
        // Without the contract, its users cannot be built.
        try fixture.writeProvider()
        let early = try await fixture.build("Provider")
        #expect(early.ending == .code(78), "\(early)")
        #expect(
            early.errors.contains("it uses version 1.0 of the contract \"greeter-api\", and the root does not have it"))

        try await buildFirst()
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")
        let (contract10, names) = (
            try fixture.keep("GreeterAPI"), try FileManager.default.subpathsOfDirectory(atPath: "\(root.path)/Plugins")
        )
        #expect(
            names.filter { !$0.hasPrefix(".versions") }.sorted() == [
                "GreeterAPI", "GreeterAPI/GreeterAPI.swiftinterface", "libGreeterAPI.so", "libHello.so",
                "libProvider.so",
            ])

        try fixture.writeUser11()
        let tooEarly = try await fixture.build("Bye")
        #expect(tooEarly.errors.contains("and the root has version 1.0.0\n"), "\(tooEarly)")
        try fixture.writeContract11()
        try await fixture.expectBuilt("GreeterAPI")
        try await fixture.expectBuilt("Bye")
        // The library of hello is still the one that was built against 1.0.
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")
        #expect(try await root.host("run", "bye").text == "Bye\nBye, Ann\n")

        let users = try await { () async throws -> ChildResult in
            try fixture.writeContract("2.0.0")
            return try await fixture.build("GreeterAPI")
        }()
        #expect(users.ending == .code(65), "\(users)")
        #expect(
            users.errors.contains(
                "modules in the root use 1.1.0, and cannot use 2.0.0\n  used by  bye, built for 1.1\n"))
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")

        // The libraries of another machine come together in one root.
        try fixture.replace("GreeterAPI", by: contract10)
        let refused = try await root.host("run", "bye")
        #expect(refused.ending == .code(78), "\(refused)")
        #expect(
            refused.errors == """
                host: cannot use module "bye": it was built for version 1.1 of the contract "greeter-api", and this host \
                has version 1.0.0
                  manifest  Plugins/libBye.so
                  contract  Plugins/libGreeterAPI.so
                  missing   GreeterAPI.Greeter.farewell(Swift.String) -> Swift.String
                  fix: install version 1.1 or a later minor version of greeter-api

                """)
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")
    }

    @Test("A contract does not add declarations under an installed minor version, and contains only Swift files")
    func additions() async throws {
        try fixture.writeContract("1.0.0")
        try await fixture.expectBuilt("GreeterAPI")
        let more = "extension Greeting { public var isEmpty: Bool { text.isEmpty } }"
        try fixture.writeContract("1.0.1", more)
        let refused = try await fixture.build("GreeterAPI")
        #expect(refused.ending == .code(65), "\(refused)")
        #expect(
            refused.errors.contains(
                "it adds declarations to the installed version 1.0.0, and has no higher minor version\n"
                    + "  added          extension GreeterAPI.Greeting\n"), "\(refused)")
        #expect(refused.errors.contains("  fix: raise the minor version, or remove the installed contract\n"))
        for version in ["1.1.0", "1.1.1"] {
            try fixture.writeContract(version, more)
            try await fixture.expectBuilt("GreeterAPI")
        }
        try root.folder.write("int answer(void);", to: "sources/GreeterAPI/answer.h")
        let header = try await fixture.build("GreeterAPI")
        #expect(header.errors.contains("a contract cannot contain \(fixture.sources)/GreeterAPI/answer.h"), "\(header)")
    }

    @Test("A build does not replace a later contract that another build has installed in the meantime")
    func atOnce() async throws {
        try fixture.writeContract11()
        try await fixture.expectBuilt("GreeterAPI")
        let (installed, later) = ("\(root.path)/Plugins", "\(root.folder.path)/later")
        try FileManager.default.moveItem(atPath: installed, toPath: later)
        try FileManager.default.createDirectory(atPath: installed, withIntermediateDirectories: true)
        try fixture.writeContract("1.0.0")
        try await fixture.expectBuilt("GreeterAPI")
        // The other build ends while this one packs its manifest, which is after the first comparison.
        let tool = try await ChildProcess("sh", ["-c", "command -v llvm-objcopy"]).run().text.dropLast()
        let script = "#!/bin/sh\ncp -r '\(later)/.' '\(installed)' && exec \(tool) \"$@\"\n"
        let path = try root.folder.write(script, to: "bin/llvm-objcopy")
        try #require(chmod(path, 0o755) == 0)
        try fixture.writeContract("1.0.1")
        let search = "\(root.folder.path)/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let refused = try await root.host("build", "\(fixture.sources)/GreeterAPI", environment: ["PATH": search])
        #expect(refused.ending == .code(65), "\(refused)")
        #expect(
            refused.errors.contains("its declarations are not compatible with the installed version 1.1.0"),
            "\(refused)")
        let names = ["libGreeterAPI.so", "GreeterAPI/GreeterAPI.swiftinterface"]
        for name in names {
            #expect(FileManager.default.contentsEqual(atPath: "\(installed)/\(name)", andPath: "\(later)/\(name)"))
        }
    }

    @Test("A module is installed before the module that provides what it requires, and the output says what it lacks")
    func anyOrder() async throws {
        try fixture.writeContract("1.0.0")
        try fixture.writeUser("Hello")
        try await fixture.expectBuilt("GreeterAPI")
        let user = try await fixture.build("Hello")
        #expect(user.ending == .code(0) && user.errors.isEmpty, "\(user)")
        #expect(
            user.text.hasSuffix(
                """

                It cannot be used yet: it requires the service "greeter", which no module provides
                  fix: add a module that provides it, or correct "requires"

                """), "\(user)")
        try fixture.writeProvider()
        try await fixture.expectBuilt("Provider")
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")
    }

    @Test("A missing declaration is named, and the side that must change is blamed")
    func blame() async throws {
        try await buildFirst()
        let contract10 = try fixture.keep("GreeterAPI")
        try fixture.writeContract11()
        try await fixture.expectBuilt("GreeterAPI")
        try fixture.writeUser11()
        try await fixture.expectBuilt("Bye")
        let missing = "  missing  GreeterAPI.Greeter.farewell(Swift.String) -> Swift.String\n"

        // The module's manifest says less than its library needs.
        try fixture.writeUser11(contracts: #"{ "greeter-api": "1.0" }"#)
        try await fixture.pack("Bye", into: fixture.library("Bye"))
        try fixture.replace("GreeterAPI", by: contract10)
        for command in [["run", "bye"], ["modules"]] {
            let result = try await ChildProcess(
                root.executable, command + ["--root", root.path], environment: root.environment
            ).run()
            let text = result.text + result.errors
            #expect(
                text.contains(
                    "cannot load library \"libBye.so\": it needs declarations that are missing in the contract "
                        + "greeter-api 1.0.0, although its manifest says that it was built for 1.0\n" + missing),
                "\(result)")
            #expect(text.contains("fix: build the module against greeter-api 1.0"), "\(result)")
        }

        // A later version of the contract has lost a declaration. host build would have refused it.
        try fixture.writeContract("1.2.0")
        try await fixture.pack("GreeterAPI", into: fixture.library("GreeterAPI"))
        let lost = try await root.host("run", "bye")
        #expect(
            lost.errors.contains(
                "greeter-api 1.2.0, although the module was built for 1.0, and a minor version may only add declarations\n"
                    + missing + "  fix: restore the declarations in greeter-api, and install it again\n"), "\(lost)")
    }

    @Test("A module that links a contract must name it")
    func undeclared() async throws {
        try await buildFirst()
        try fixture.writeUser("Hello", "")
        try await fixture.pack("Hello", into: fixture.library("Hello"))
        let result = try await root.host("run", "hello")
        #expect(result.ending == .code(78), "\(result)")
        #expect(
            result.errors == """
                host: cannot load library "libHello.so": it links libGreeterAPI.so of the contract "greeter-api", which its \
                manifest does not name
                  fix: write "contracts": { "greeter-api": "1.0" } in the manifest

                """)
    }

    @Test("A missing contract refuses its users, and a contract is checked like a module")
    func refusals() async throws {
        try await buildFirst()
        let contract = try fixture.keep("GreeterAPI")
        try FileManager.default.removeItem(atPath: fixture.library("GreeterAPI"))
        let missing = try await root.host("run", "hello")
        #expect(missing.errors.contains("it uses the contract \"greeter-api\", which is not installed\n"), "\(missing)")
        #expect(missing.errors.contains("fix: install greeter-api with host build, or correct \"contracts\"\n"))

        // The library of a module, with the manifest of a contract.
        let module = try fixture.keep("Provider")
        try root.folder.write(
            #"{ "kind": "contract", "name": "greeter-api", "version": "1.0.0", "library": "libGreeterAPI.so", "sdk": "1.0" }"#,
            to: "root/Manifests/greeter-api.json")
        try fixture.replace("GreeterAPI", by: module)
        let entry = try await root.host("modules")
        #expect(
            entry.text.contains("it has the entry viper_entry_v1_Provider, and its manifest says that it is a contract")
        )
        try fixture.replace("GreeterAPI", by: contract)
        #expect(chmod(fixture.library("GreeterAPI"), 0o666) == 0)
        let untrusted = try await root.host("run", "hello")
        #expect(untrusted.errors.contains("path-untrusted") || untrusted.errors.contains("can change"), "\(untrusted)")
    }

    @Test("host new creates a contract that host build installs")
    func generated() async throws {
        let created = try await fixture.host("new", "GreeterAPI", "--contract")
        #expect(created.ending == .code(0) && created.errors == "", "\(created)")
        #expect(
            created.text == """
                Created contract greeter-api:
                  GreeterAPI/Greeter.swift
                  GreeterAPI/greeter-api.json
                Next:
                  host build GreeterAPI

                """)
        try await fixture.expectBuilt("GreeterAPI")
        try fixture.writeProvider()
        try fixture.writeUser("Hello")
        for source in ["Provider", "Hello"] { try await fixture.expectBuilt(source) }
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")
        let tested = try await root.host("test", "greeter-api")
        #expect(tested.ending == .code(64), "\(tested)")
        #expect(
            tested.errors.contains("cannot test \"greeter-api\": it is a contract, expected a module\n"), "\(tested)")
        let both = try await fixture.host("new", "OtherAPI", "--contract", "--package", "other")
        #expect(both.ending == .code(64), "\(both)")
        #expect(both.errors.contains("--package"))
    }

    @Test("host build refuses a minor version that symbols would accept, and keeps the installed one")
    func baseline() async throws {
        try await buildFirst()
        let before = FileManager.default.contents(atPath: fixture.library("GreeterAPI"))
        try fixture.writeContract("1.1.0", requirement: "func farewell(_ name: String) -> String")
        let requirement = try await fixture.build("GreeterAPI")
        #expect(requirement.ending == .code(65), "\(requirement)")
        #expect(
            requirement.errors.contains(
                "  new requirement  public protocol Greeter : Swift.Sendable → func farewell(_ name: Swift.String) -> "
                    + "Swift.String\n"))
        #expect(FileManager.default.contents(atPath: fixture.library("GreeterAPI")) == before)
        #expect(try await root.host("run", "hello").text == "Hello\nGood day 1, Ann\n")
    }
}

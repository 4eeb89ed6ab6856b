import Foundation
import HostDriver
import TestSupport
import Testing

/// `host why`.
@Suite(.fewAtOnce)
struct WhyTests {
    struct Shown: Decodable {
        struct Step: Decodable {
            struct Failure: Decodable { var code: String }
            var label: String
            var text: String
            var error: Failure?
        }
        var kind: String
        var name: String
        var state: String
        var steps: [Step]
        var fixes: [String]

        func texts(_ label: String) -> [String] { steps.filter { $0.label == label }.map(\.text) }
    }

    private let root: ScratchRoot

    init() throws {
        root = try ScratchRoot()
        for module in ["people", "sqlite", "details", "alert"] { try root.copyManifest(module) }
    }

    private func why(_ name: String) async throws -> [Shown] {
        let result = try await root.host("why", name, "--format", "json")
        #expect(result.ending == .code(0), "\(result)")
        return try JSONDecoder().decode([Shown].self, from: result.output)
    }

    @Test("A route is explained together with its module: places, files, checks, services, users and state")
    func route() async throws {
        let shown = try await why("people")
        #expect(
            shown.map { "\($0.kind) \($0.name) \($0.state)" } == ["route people resolved", "module people resolved"])
        let module = try #require(shown.last)
        #expect(module.fixes == [] && module.steps.allSatisfy { $0.error == nil })
        #expect(
            module.texts("looked in") == [
                "\(root.path)/Manifests (5 manifests)",
                "\(root.path)/Plugins (0 libraries with a manifest, 0 that no manifest refers to)",
            ])
        #expect(
            module.texts("library").first?.hasSuffix(", the host's folder, because Plugins does not have it") == true)
        #expect(module.texts("check").first == "it can be read, and only trusted users can change it")
        #expect(module.texts("check").contains("it has one entry, of this host's binary interface"))
        #expect(module.texts("check").last == "it is not in quarantine")
        #expect(module.texts("needs").contains("data-provider from the host's json"), "\(module.steps)")
        #expect(module.texts("process") == ["the host's"])
        let text = try await root.host("why", "people").text
        #expect(text.hasPrefix("route people  resolved\n"), "\(text)")
        #expect(text.contains("\ncheck          it is not in quarantine: yes\n"), "\(text)")
    }

    @Test("The first check that fails is shown with its cause and what to do, and the checks after it are not")
    func refused() async throws {
        try root.folder.write("text", to: "root/Plugins/libPeople.so")
        let module = try #require(await why("libPeople.so").first)
        #expect(module.state == "refused")
        let checks = module.steps.filter { $0.label == "check" }
        #expect(checks.last?.text == "it is a library for this machine")
        #expect(checks.map(\.error?.code) == [nil, nil, "library-invalid"])
        #expect(module.fixes == ["rebuild it with swift build, and copy the whole file"])
        #expect(
            module.texts("library").first?.contains("Plugins comes before the host's folder, which has it too") == true)
        let text = try await root.host("why", "people").text
        #expect(text.contains("it is a library for this machine: no, it is not an ELF file\n"), "\(text)")
        #expect(text.contains(/\nto do +rebuild it with swift build, and copy the whole file\n$/), "\(text)")
    }

    @Test("A service is explained with its providers, why one is selected, and its users")
    func service() async throws {
        let before = try #require(await why("data-provider").first)
        #expect(before.kind == "service" && before.state == "from json")
        #expect(before.texts("used by") == ["people"])
        try root.folder.write(#"{ "use": { "data-provider": "sqlite" } }"#, to: "root/host.json")
        let after = try await why("data-provider")
        #expect(after.map { "\($0.kind) \($0.name)" } == ["service data-provider", "module sqlite"])
        #expect(after[0].texts("selected") == ["sqlite: the settings choose it"])
        #expect(
            try await why("people").last?.texts("needs").contains(
                "data-provider from sqlite resolved, which the settings choose") == true)
    }

    @Test("A library without a manifest, a contested route and a missing requirement are explained with a fix")
    func problems() async throws {
        try root.copy(Products.companyList, to: "libStray.so")
        let stray = try await why("some/path/libStray.so")
        #expect(stray.map(\.kind) == ["library"] && stray[0].fixes.first?.hasPrefix("add Manifests/NAME.json") == true)
        for name in ["first", "second"] {
            var manifest = ManifestText(name, library: "libCompanyList.so", routes: ["shared"])
            manifest.requires = name == "second" ? ["telescope"] : []
            try root.add(manifest)
        }
        let route = try await why("shared")
        #expect(route.map { "\($0.kind) \($0.name)" } == ["route shared", "module first", "module second"])
        #expect(route[2].state == "refused")
        #expect(route[2].texts("needs") == ["telescope, which has no usable provider"])
        #expect(route[2].fixes.contains("add a module that provides it, or correct \"requires\""))
        let service = try #require(await why("telescope").first)
        #expect(service.state == "missing" && service.fixes.count == 1)
    }

    @Test(
        "An unknown name is an error that says where the host has looked, and names the manifests that it cannot read")
    func unknown() async throws {
        try root.add(manifest: "{", as: "broken.json")
        let result = try await root.host("why", "peple")
        #expect(result.ending == .code(69) && result.text == "")
        #expect(
            result.errors.hasPrefix(
                """
                host: cannot explain "peple": no module, route, service, library or error code has this name
                  looked in     \(root.path)/Manifests (6 manifests)
                """), "\(result)")
        #expect(result.errors.contains("\n  cannot read   Manifests/broken.json:1:2: "), "\(result)")
        #expect(result.errors.contains("\n  did you mean  people\n"), "\(result)")
        let code = try await root.host("why", "route-unknow")
        #expect(code.errors.contains("\n  error codes  route-unknown\n"), "\(code)")
    }

    @Test("A serving host adds how a module is used, and shows it at once")
    func served() async throws {
        let host = try await ServingHost(root)
        _ = try await host.client().call("open", #"{"route":"people"}"#)
        let result = try await ChildProcess(
            Products.host, ["why", "people", "--via", host.socket, "--format", "json"], environment: root.environment
        ).run()
        let module = try #require(JSONDecoder().decode([Shown].self, from: result.output).last)
        #expect(module.state == "active")
        #expect(module.texts("used").first?.hasPrefix("generation 1: 2 calls, 0 failed") == true, "\(result)")
        let unknown = try await ChildProcess(
            Products.host, ["why", "nothing", "--via", host.socket], environment: root.environment
        ).run()
        #expect(unknown.ending == .code(69), "\(unknown)")
    }

    @Test("An error code is explained without a root")
    func code() async throws {
        let bare = try await BareHost()
        let result = try await bare.run(["why", "route-unknown"])
        #expect(result.ending == .code(0) && result.text.hasPrefix("code route-unknown  an error code\n"), "\(result)")
        #expect(try await root.host("why").ending == .code(64))
    }
}

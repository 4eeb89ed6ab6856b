import Foundation
import HostDriver
import TestSupport
import Testing

/// `host modules MODULE` and `host routes ROUTE`.
@Suite(.fewAtOnce)
struct DetailsTests {
    private func root() throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.add(.workshop)
        for module in ["account", "people", "details", "alert", "launcher", "todo", "http-client", "sqlite"] {
            try root.copyManifest(module)
        }
        return root
    }

    @Test("host routes ROUTE shows the module, the parameters, the guards, and an example that is valid")
    func route() async throws {
        let root = try root()
        try root.folder.write(#"{"guards": {"account": ["workshop/*"]}}"#, to: "root/host.json")
        let shown = try await root.host("routes", "workshop/greet")
        #expect(shown.ending == .code(0) && shown.errors == "", "\(shown)")
        #expect(
            shown.text == """
                workshop/greet  Greets somebody
                module          workshop (resolved)
                parameter       who=STRING: Whom (required)
                parameter       times=INTEGER: How often (default: 1)
                parameter       loud=BOOLEAN: Whether to shout (default: false)
                parameter       height=NUMBER: In metres (optional)
                guarded by      account
                example         host run workshop/greet who=sample

                """)
        let json = try await root.host("routes", "workshop/greet", "--format", "json")
        let object = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
        #expect(object?["example"] as? String == "host run workshop/greet who=sample")
        #expect(object?["guards"] as? [String] == ["account"])
        let parameters = object?["parameters"] as? [[String: Any]]
        #expect(parameters?.map { $0["name"] as? String } == ["who", "times", "loud", "height"])
        #expect(parameters?[1]["default"] as? Int == 1 && parameters?[1]["type"] as? String == "integer")
        let example = try await root.host("run", "person", "id=sample")
        #expect(example.ending == .code(0), "\(example)")
    }

    @Test("A parameter's limits are shown, and a sample that needs quotation marks has them")
    func limits() async throws {
        let root = try ScratchRoot()
        try root.add(
            .palette(
                tone: #""type": "string", "enum": ["a 'b' $(c)", "d"]"#,
                others: #", { "name": "size", "type": "integer", "minimum": 3, "maximum": 9, "summary": "The size" }"#))
        let shown = try await root.host("routes", "palette").text
        #expect(shown.contains("size=INTEGER(3..9): The size (required)"), "\(shown)")
        #expect(shown.contains(#"host run palette 'tone=a '\''b'\'' $(c)' size=3"#), "\(shown)")
    }

    @Test("host modules MODULE shows its state, routes, services and providers, and what it opens and contributes")
    func module() async throws {
        let root = try root()
        let shown = try await root.host("modules", "people", "--use", "people.data-provider=sqlite")
        #expect(shown.ending == .code(0) && shown.errors == "", "\(shown)")
        #expect(
            shown.text == """
                people       1.0.0
                state        resolved
                library      libPeople.so
                manifest     Manifests/people.json
                route        people [olderThan=INTEGER]
                route        people/add
                uses         data-provider from sqlite
                opens        details
                opens        alert
                contributes  menu {"route":"people","title":"People"}

                module people gets the service "data-provider" from "sqlite"

                """)
        let provider = try await root.host("modules", "http-client").text
        #expect(provider.contains("\nprovides     http-client for account, todo\n"), "\(provider)")
        let json = try await root.host("modules", "todo", "--format", "json")
        let object = try JSONSerialization.jsonObject(with: json.output) as? [String: [[String: Any]]]
        #expect(object?["modules"]?.first?["run"] as? String == "idle")
        #expect(object?["routes"]?.count == 3)
        #expect(object?["services"]?.contains { $0["service"] as? String == "http-client" } == true)
        #expect(object?["statistics"] == nil)
    }

    @Test("A refused module shows the reason, and a contested route all modules that claim it")
    func refused() async throws {
        let root = try ScratchRoot()
        try root.add(manifest: "[]", as: "broken.json")
        for name in ["one", "two"] {
            try root.add(ManifestText(name, library: "libNone.so", routes: ["both"]))
        }
        let broken = try await root.host("modules", "broken")
        #expect(broken.ending == .code(0))
        let head = "broken    -\nstate     refused\nmanifest  Manifests/broken.json\n\ncannot "
        #expect(broken.text.hasPrefix(head), "\(broken)")
        let one = try await root.host("modules", "one").text
        #expect(one.contains("\nroute     both (contested)\n") && one.contains("cannot "), "\(one)")
        let both = try await root.host("routes", "both").text
        #expect(both.contains("claimed by  Manifests/one.json\nclaimed by  Manifests/two.json\n"), "\(both)")
    }

    @Test("An unknown name suggests similar names")
    func unknown() async throws {
        let root = try root()
        let module = try await root.host("modules", "poeple")
        #expect(module.ending == .code(69))
        #expect(
            module.errors == """
                host: cannot show module "poeple": no module has this name
                  did you mean  people
                  fix: run host modules to list all modules

                """)
        let route = try await root.host("routes", "todoss")
        #expect(route.ending == .code(69))
        #expect(
            route.errors == """
                host: cannot show route "todoss": no module provides it
                  did you mean  todos
                  fix: run host routes to list all routes

                """)
    }

    @Test("With --via, the running host supplies the details and the statistics")
    func via() async throws {
        let root = try root()
        let host = try await ServingHost(root, "--use", "data-provider=json")
        func ask(_ words: String...) async throws -> ChildResult {
            try await ChildProcess(Products.host, words + ["--via", host.socket], environment: root.environment).run()
        }
        _ = try await ask("run", "list")
        let shown = try await ask("modules", "company-list")
        #expect(shown.text.contains("state         active\n"), "\(shown)")
        #expect(shown.text.contains("route         person id=STRING\n"), "\(shown)")
        #expect(shown.text.contains("\ncompany-list  1 "), "\(shown)")
        #expect(!shown.text.contains("people"), "\(shown)")
        let json = try await ask("modules", "company-list", "--format", "json")
        let object = try JSONSerialization.jsonObject(with: json.output) as? [String: [[String: Any]]]
        #expect(object?["statistics"]?.first?["module"] as? String == "company-list")
        let route = try await ask("routes", "person")
        #expect(route.text.contains("example    host run person id=sample\n"), "\(route)")
        #expect(try await ask("routes", "nosuch").ending == .code(69))
        #expect(!host.hasEnded)
    }
}

import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ModuleFailureTests {
    private func expect(
        _ trouble: String, _ error: String, code: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let refusal = try Refusal()
        try await refusal.copy(.trouble)
        // These failures appear only when the module runs, so listings show it as usable.
        try await refusal.expect(
            error, code: code, state: "resolved", environment: ["TROUBLE": trouble], sourceLocation: sourceLocation)
    }

    @Test("The module works when no failure is selected")
    func control() async throws {
        let refusal = try Refusal()
        try await refusal.copy(.trouble)
        #expect(try await refusal.root.host("run", "bad").text == "No trouble\n")
    }

    @Test("An initialiser that throws is reported with the thrown error")
    func initialiser() async throws {
        try await expect("init", "cannot create module \"bad\": it threw Mishap(depth: 3)", code: 70)
    }

    @Test("A view that cannot be created is reported with the thrown error")
    func view() async throws {
        try await expect(
            "view",
            "cannot open route \"bad\": it threw Mishap(depth: 4)", code: 70)
    }

    @Test("An initialiser cannot resolve a service that its manifest does not require")
    func denied() async throws {
        try await expect(
            "denied",
            """
            cannot create module "bad": cannot resolve service "logger": the module "bad" does not require it
              requested by  module bad → logger
              fix: add "logger" to "requires" in Manifests/bad.json
            """, code: 70)
    }

    @Test("An entry that returns null or an unknown pointer is refused")
    func entry() async throws {
        try await expect(
            "null", "cannot load library \"libBad.so\": the entry viper_entry_v1_Trouble returned no module", code: 78)
        try await expect(
            "stranger",
            """
            cannot load library "libBad.so": it does not return a packed module
              fix: return ModuleEntry.export(YourModule.self) from it
            """, code: 78)
    }

    @Test("A library that needs a missing library is refused, and the error names that library")
    func missingDependency() async throws {
        var fixture = ModuleFixture("Needy", ModuleFixture.minimal("viper_entry_v1_Needy"))
        // The linker records this name as needed. The library exists only at build time.
        fixture.cSource = "int needy(void) { return 0; }"
        fixture.flags = ["-Xlinker", "-soname=libNeedy.so"]
        let provider = try await fixture.compiled()
        var user = ModuleFixture("User", ModuleFixture.minimal("viper_entry_v1_User"))
        user.flags = ["-Xlinker", "--no-as-needed", provider]
        let refusal = try Refusal()
        try await refusal.copy(user)
        let bad = try await refusal.root.host("run", "bad")
        let cause = "cannot load library \"libBad.so\": it needs the library libNeedy.so, which cannot be found\n"
        #expect(bad.errors.hasPrefix("host: " + cause), "\(bad)")
        #expect(bad.errors.contains("\n  fix: install libNeedy.so, or link the module with -Xlinker -rpath"))
        try await refusal.expect(String(bad.errors.dropFirst("host: ".count).dropLast()))
        // Workers do not inherit the variable with the library's folder, unless host.json lists it. The error says so.
        let root = refusal.root
        let folder = String(provider.prefix(upTo: provider.lastIndex(of: "/") ?? provider.endIndex))
        for (settings, answer) in [
            ("{}", #"add \"workerEnvironment\": [\"LD_LIBRARY_PATH\"] to host.json"#),
            (#"{"workerEnvironment": ["LD_LIBRARY_PATH"]}"#, #""result""#),
        ] {
            try root.folder.write(settings, to: "root/host.json")
            let (host, client) = try ServingHost.atStandardIO(root, environment: ["LD_LIBRARY_PATH": folder])
            #expect(try await client.call("open", #"{"route":"bad"}"#).contains(answer), "\(host.log)")
        }
    }

    @Test("A module that does not register a route of its manifest is refused before it is created")
    func noRoutes() async throws {
        let refusal = try Refusal()
        try await refusal.copy(.wiring)
        try await refusal.expect(
            """
            cannot use module "bad": its manifest declares the route "bad", but its code does not register it
              manifest  Manifests/bad.json
              fix: register in register(with:) exactly what the manifest declares
            """, code: 70, state: "resolved", environment: ["WIRING": "services"])
    }
}

import HostDriver
import TestSupport
import Testing

/// The routes that modules declare to open.
@Suite(.fewAtOnce)
struct OpensTests {
    @Test("host modules and host test name a route that a module opens and that no module provides")
    func missing() async throws {
        let root = try ScratchRoot()
        for module in ["people", "details", "launcher"] { try root.copyManifest(module) }
        let notice = "module people: cannot open route \"alert\": no module provides it\n"
        let listed = try await root.host("modules")
        #expect(
            listed.text.hasSuffix(
                "\n\(notice)  fix: add a module with this route, or remove it from \"opens\" in Manifests/people.json\n"
            ), "\(listed)")
        #expect(listed.ending == .code(0))
        let json = try await root.host("modules", "--format", "json")
        #expect(json.text.filter { !$0.isWhitespace }.contains(#""missingRoutes":["alert"]"#), "\(json)")
        let tested = try await root.host("test", "people", "--check", "routes")
        #expect(tested.ending == .code(1))
        #expect(
            tested.text.contains(
                "          no module provides the route \"alert\", which the manifest names in \"opens\"\n"),
            "\(tested)")

        try root.copyManifest("alert")
        #expect(try await !root.host("modules").text.contains("cannot open route"))
        #expect(try await root.host("test", "people", "--check", "routes").ending == .code(0))
    }
}

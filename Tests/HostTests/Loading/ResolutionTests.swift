import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ResolutionTests {
    @Test("A module that requires an unknown service is refused with a fix")
    func unknownService() async throws {
        var manifest = Refusal.manifest
        manifest.requires = ["file-reader", "file-raeder"]
        let near = try Refusal(manifest)
        try await near.expect(
            """
            cannot use module "bad": it requires the service "file-raeder", which no module provides
              manifest  Manifests/bad.json
              fix: write "file-reader"
            """)
        manifest.requires = ["telescope"]
        let far = try Refusal(manifest)
        try await far.expect(
            """
            cannot use module "bad": it requires the service "telescope", which no module provides
              manifest  Manifests/bad.json
              fix: add a module that provides it, or correct "requires"
            """)
    }

    @Test("Modules that require each other are refused with the cycle")
    func cycle() async throws {
        var first = Refusal.manifest
        (first.requires, first.provides) = (["second"], ["first"])
        var second = ManifestText("other", library: "libOther.so", routes: ["other"])
        (second.requires, second.provides) = (["first"], ["second"])
        let refusal = try Refusal(first)
        try refusal.root.add(second)
        let bad = try await refusal.root.host("run", "bad")
        #expect(bad.ending == .code(78))
        #expect(
            bad.errors == """
                host: cannot use module "bad": modules require each other: bad → other → bad
                  manifest  Manifests/bad.json
                  fix: remove one of these requirements

                """)
        let other = try await refusal.root.host("run", "other")
        #expect(other.ending == .code(78))
        #expect(other.errors.contains("modules require each other: other → bad → other\n"), "\(other)")
        try await refusal.expectGoodWorks()
    }

    @Test("Two modules with the same name are both refused")
    func duplicate() async throws {
        let refusal = try Refusal()
        try refusal.root.add(
            manifest: Refusal.manifest.text.replacing("bad\", \"summary", with: "other\", \"summary"), as: "copy.json")
        for route in ["bad", "other"] {
            let result = try await refusal.root.host("run", route)
            #expect(result.ending == .code(78))
            #expect(
                result.errors == """
                    host: cannot use module "bad": several manifests have this name
                      manifest  Manifests/bad.json
                      manifest  Manifests/copy.json
                      fix: remove or rename all but one

                    """)
        }
        try await refusal.expectGoodWorks()
    }

    @Test(
        "A route that two modules claim cannot be opened, and their other routes work",
        arguments: [true, false])
    func contested(isWorkshopFirst: Bool) async throws {
        let root = try ScratchRoot()
        try root.copy(await ModuleFixture.workshop.compiled(), to: "libWorkshop.so")
        try root.copy(await ModuleFixture.twin.compiled(), to: "libTwin.so")
        let workshop = ManifestText("workshop", library: "libWorkshop.so", routes: ["shared", "workshop/form"])
        var twin = ManifestText("twin", library: "libTwin.so", routes: ["shared", "twin"])
        twin.requires = ["file-reader"]
        try root.add(manifest: workshop.text, as: isWorkshopFirst ? "a.json" : "b.json")
        try root.add(manifest: twin.text, as: isWorkshopFirst ? "b.json" : "a.json")

        let shared = try await root.host("run", "shared")
        #expect(shared.ending == .code(78))
        #expect(shared.text == "")
        #expect(
            shared.errors == """
                host: cannot open route "shared": 2 modules claim it
                  claimed by  Manifests/a.json
                  claimed by  Manifests/b.json
                  fix: rename or remove it in all but one of them

                """)
        for (route, start) in [("workshop/form", "Form\n"), ("twin", "Another list\n"), ("list", RunTests.list)] {
            let result = try await root.host("run", route)
            #expect(result.ending == .code(0) && result.text.hasPrefix(start) && result.errors == "", "\(result)")
        }
        let routes = try await root.host("routes").text
        #expect(routes.contains(/\nshared +twin, workshop +contested +Shows shared\n/), "\(routes)")
        let listed = try JSONDecoder().decode(
            [ShownRoute].self, from: await root.host("routes", "--format", "json").output)
        #expect(listed.first { $0.route == "shared" }?.contestedBy == ["Manifests/a.json", "Manifests/b.json"])
        let modules = try await root.host("modules").text
        let line = "\ncannot open route \"shared\": several modules declare it: twin, workshop\n  fix: rename"
        #expect(modules.contains(line), "\(modules)")
    }
}

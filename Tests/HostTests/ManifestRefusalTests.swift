import Foundation
import TestSupport
import Testing

/// Modules that are refused by what their manifests say, alone or together.
struct ManifestRefusalTests {
    @Test("a manifest that cannot be read is refused with its place, and its routes are unknown")
    func unreadable() async throws {
        let good = ManifestText("bad", library: "libBad.so", routes: ["bad"]).text
        let cases: [(text: String, error: String)] = [
            ("", ":1:1\": the text ends where a value should stand"),
            ("hello\n", ":1:1\": this begins no value"),
            (good.dropLast(3) + "", ":8:17\": a comma or a closing brace should stand here"),
            (
                good.replacing("\"version\"", with: "\"name\": \"other\",\n  \"version\""),
                ":3:3\": the key \"name\" stands here twice"
            ),
            (
                good.replacing("libBad.so", with: "../Bad/libBad.so"),
                """
                :4:14": this is no valid "library"
                  at       $.library
                  to mend  write a plain file name such as libName.so
                """
            ),
            (
                good.replacing("libBad.so", with: "/tmp/libBad.so"),
                """
                :4:14": this is no valid "library"
                  at       $.library
                  to mend  write a plain file name such as libName.so
                """
            ),
            (
                good.replacing("\"requires\"", with: "\"require\""),
                """
                :7:3": unknown key "require"
                  at       $.require
                  to mend  write "requires"
                """
            ),
        ]
        for (text, error) in cases {
            let root = try ScratchRoot()
            try root.add(manifest: text, as: "bad.json")
            let modules = try await root.host("modules")
            #expect(modules.ending == .code(0))
            #expect(
                modules.text == """
                    MODULE        VERSION  STATE     LIBRARY            MANIFEST
                    bad           -        refused   -                  Manifests/bad.json
                    company-list  1.0.0    resolved  libCompanyList.so  Manifests/company-list.json

                    cannot use manifest "Manifests/bad.json\(error)

                    """)
            let bad = try await root.host("run", "bad")
            #expect(bad.ending == .code(69))
            #expect(bad.errors.hasPrefix("host: cannot open route \"bad\": no module provides it\n"))
            let good = try await root.host("run", "list")
            #expect(good.ending == .code(0) && good.text == RunTests.list && good.errors == "", "\(good)")
        }
    }

    @Test("a module for a ViperKit that this host does not have")
    func sdk() async throws {
        for version in ["1.9", "2.0", "0.9"] {
            var manifest = Refusal.manifest
            manifest.sdk = version
            let refusal = try Refusal(manifest)
            try await refusal.copy(.minimal)
            try await refusal.expect(
                """
                cannot use module "bad": it is made for ViperKit \(version), and this host has 1.0
                  manifest  Manifests/bad.json
                  to mend   update the host, or build the module against ViperKit 1.0
                """)
        }
    }

    @Test("a module that requires a service which nobody provides")
    func unknownService() async throws {
        var manifest = Refusal.manifest
        manifest.requires = ["file-reader", "file-raeder"]
        let near = try Refusal(manifest)
        try await near.expect(
            """
            cannot use module "bad": it requires the service "file-raeder", which nobody provides
              manifest  Manifests/bad.json
              to mend   write "file-reader"
            """)
        manifest.requires = ["telescope"]
        let far = try Refusal(manifest)
        try await far.expect(
            """
            cannot use module "bad": it requires the service "telescope", which nobody provides
              manifest  Manifests/bad.json
              to mend   add a module that provides it, or correct "requires"
            """)
    }

    @Test("modules that require each other are refused with the way in which they do")
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
                  to mend   let one of them do without the other

                """)
        let other = try await refusal.root.host("run", "other")
        #expect(other.ending == .code(78))
        #expect(other.errors.contains("modules require each other: other → bad → other\n"), "\(other)")
        try await refusal.expectGoodWorks()
    }

    @Test("two modules of one name are both refused")
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
                      to mend   remove or rename all but one

                    """)
        }
        try await refusal.expectGoodWorks()
    }

    @Test(
        "a route that two modules claim is nobody's, whatever the order of the files; their other routes work",
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
                  to mend     rename it in, or remove, all but one

                """)
        for (route, start) in [("workshop/form", "Form\n"), ("twin", "Another list\n"), ("list", RunTests.list)] {
            let result = try await root.host("run", route)
            #expect(result.ending == .code(0) && result.text.hasPrefix(start) && result.errors == "", "\(result)")
        }
        let routes = try await root.host("routes").text
        #expect(routes.contains("\nshared                     (contested)   Shows shared\n"), "\(routes)")
        let listed = try JSONDecoder().decode(
            [ShownRoute].self, from: await root.host("routes", "--format", "json").output)
        #expect(listed.first { $0.route == "shared" }?.contestedBy == ["Manifests/a.json", "Manifests/b.json"])
    }

    @Test("nothing that a manifest or a file name says steers the terminal")
    func controlCharacters() async throws {
        let root = try ScratchRoot()
        try root.add(manifest: #"{ "\u001b]0;title\u0007": 1 }"#, as: "esc\u{1B}[31m.json")
        try root.add(library: Data(), as: "lib\u{1B}[31m.so")
        let results = [
            try await root.host("modules"), try await root.host("routes"), try await root.host("run", "\u{1B}[2J"),
            try await root.host("--\u{9B}2J"),
        ]
        for result in results {
            #expect((result.text + result.errors).contains("\u{FFFD}"), "\(result)")
            #expect(
                !(result.text + result.errors).unicodeScalars.contains {
                    $0 != "\n" && $0.properties.generalCategory == .control
                })
        }
    }

    @Test("a library in Plugins that no manifest mentions is listed with the next step")
    func stray() async throws {
        let root = try ScratchRoot()
        try root.copy(Products.companyList, to: "libStray.so")
        let modules = try await root.host("modules")
        #expect(modules.ending == .code(0))
        #expect(modules.errors == "")
        #expect(
            modules.text == """
                MODULE        VERSION  STATE     LIBRARY            MANIFEST
                company-list  1.0.0    resolved  libCompanyList.so  Manifests/company-list.json

                library "libStray.so": no manifest mentions it
                  to mend  add Manifests/NAME.json with "library": "libStray.so"

                """)
        #expect(try await root.host("run", "list").errors == "")
    }
}

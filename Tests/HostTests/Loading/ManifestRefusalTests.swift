import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@Suite(.fewAtOnce)
struct ManifestRefusalTests {
    @Test("A malformed manifest is refused with its position, and its routes are unknown")
    func unreadable() async throws {
        let good = ManifestText("bad", library: "libBad.so", routes: ["bad"]).text
        let cases: [(text: String, error: String)] = [
            ("", ":1:1\": expected a value, found the end of the text"),
            ("hello\n", ":1:1\": expected a value"),
            (good.dropLast(3) + "", ":8:17\": expected a comma or a closing brace"),
            (
                good.replacing("\"version\"", with: "\"name\": \"other\",\n  \"version\""),
                """
                :3:3": duplicate key "name"
                  at  $.name
                  fix: remove or rename one of them
                """
            ),
            (
                good.replacing("libBad.so", with: "../Bad/libBad.so"),
                """
                :4:14": this is not a valid "library"
                  at  $.library
                  fix: write a plain file name such as libName.so
                """
            ),
            (
                good.replacing("libBad.so", with: "/tmp/libBad.so"),
                """
                :4:14": this is not a valid "library"
                  at  $.library
                  fix: write a plain file name such as libName.so
                """
            ),
            (
                good.replacing("\"requires\"", with: "\"require\""),
                """
                :7:3": unknown key "require"
                  at  $.require
                  fix: write "requires"
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

                    module company-list: cannot open route "details": no module provides it
                      fix: add a module with this route, or remove it from "opens" in Manifests/company-list.json

                    """)
            let bad = try await root.host("run", "bad")
            #expect(bad.ending == .code(69))
            #expect(bad.errors.hasPrefix("host: cannot open route \"bad\": no module provides it\n"))
            let good = try await root.host("run", "list")
            #expect(good.ending == .code(0) && good.text == RunTests.list && good.errors == "", "\(good)")
        }
    }

    @Test("A module for a ViperKit that this host does not have is refused")
    func sdk() async throws {
        for version in ["1.9", "2.0", "0.9"] {
            var manifest = Refusal.manifest
            manifest.sdk = version
            let refusal = try Refusal(manifest)
            try await refusal.copy(.minimal)
            try await refusal.expect(
                """
                cannot use module "bad": it is built for ViperKit \(version), and this host has \(SDK.version)
                  manifest  Manifests/bad.json
                  fix: update the host, or build the module against ViperKit \(SDK.version)
                """)
        }
    }

    @Test("Control characters in manifests and file names do not reach the terminal")
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

    @Test("A library without a manifest is listed with the next step")
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

                module company-list: cannot open route "details": no module provides it
                  fix: add a module with this route, or remove it from "opens" in Manifests/company-list.json

                cannot use library "libStray.so": no manifest refers to it
                  fix: add Manifests/NAME.json with "library": "libStray.so"

                """)
        #expect(try await root.host("run", "list").errors == "")
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// Arrays, enumerations and ranges as route parameters, which a module reads and passes as types.
@Suite(.fewAtOnce, .hangLimit)
struct RouteArgumentsTests {
    private static let usage =
        "tone=red|green [shades=INTEGER(1..9)…] [names=STRING…] [opacity=NUMBER(0.0..1.0)]"

    private func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.palette, .palette)
        return root
    }

    @Test(
        "Words become an enumeration, arrays and an optional number",
        arguments: [
            (["tone=red"], "red [5] [] none"),
            (["tone=green", "shades=9", "shades=1", "names=a b"], "green [9, 1] [\"a b\"] none"),
            (["tone=red", "names=", "names=x", "opacity=1"], "red [5] [\"\", \"x\"] 1.0"),
        ] as [([String], String)])
    func words(words: [String], text: String) async throws {
        let root = try await root()
        let result = try await root.host("run", "palette") { $0.arguments += words }
        #expect(result.text == "Palette\n\(text)\n", "\(result)")
        let host = try await ServingHost(root, "--isolate", "palette")
        let via = try await ChildProcess(Products.host, ["run", "palette", "--via", host.socket] + words).run()
        #expect(via.text == "Palette\n\(text)\n", "\(via)")
    }

    @Test(
        "An invalid word is a usage error that shows the found and the allowed values",
        arguments: [
            (["tone=blue"], "parameter \"tone\" is \"blue\", expected one of \"red\", \"green\""),
            (["tone=red", "tone=green"], "parameter \"tone\" is given 2 times, expected one of \"red\", \"green\""),
            (
                ["tone=red", "shades=3", "shades=10"],
                "parameter \"shades\" contains \"10\", expected an integer from 1 to 9"
            ),
            (["tone=red", "shades=x"], "parameter \"shades\" contains \"x\", expected an integer from 1 to 9"),
            (["tone=red", "opacity=1.5"], "parameter \"opacity\" is \"1.5\", expected a number from 0.0 to 1.0"),
        ] as [([String], String)])
    func invalidWords(words: [String], cause: String) async throws {
        let root = try await root()
        let expected = "host: cannot open route \"palette\": \(cause)\n  parameters  \(Self.usage)\n"
        let result = try await root.host("run", "palette") { $0.arguments += words }
        #expect(result.ending == .code(64) && result.errors == expected, "\(result)")
        let host = try await ServingHost(root)
        let via = try await ChildProcess(Products.host, ["run", "palette", "--via", host.socket] + words).run()
        #expect(via.ending == .code(64) && via.errors == expected, "\(via)")
    }

    @Test("The list of routes shows the allowed values")
    func listing() async throws {
        let root = try await root()
        #expect(try await root.host("routes").text.contains("palette        \(Self.usage)  palette"))
        #expect(try await root.host("routes", "--format", "json").text.contains(Self.usage))
    }

    @Test("A client passes arrays as JSON arrays, to a module in the host or in a worker", arguments: [false, true])
    func json(isIsolated: Bool) async throws {
        let (host, client) = try ServingHost.atStandardIO(
            try await root(), "--isolate", isIsolated ? "palette" : "company-list")
        for (given, shown) in [
            (#"{"tone":"red","shades":[1,2],"names":["x"],"opacity":1}"#, #"red [1, 2] [\"x\"] 1.0"#),
            (#"{"tone":"red","shades":[],"names":["x","y"]}"#, #"red [] [\"x\", \"y\"] none"#),
            (#"{"tone":"red","shades":["3","4"]}"#, "red [3, 4] [] none"),
            (#"{"tone":"red","shades":["3",4]}"#, #"\"shades\" contains \"3\", expected an integer from 1 to 9"#),
            (#"{"tone":["red"]}"#, #"\"tone\" is [\"red\"], expected one of \"red\", \"green\""#),
            (#"{"tone":"red","shades":3}"#, #"\"shades\" is 3, expected an array of integers"#),
            (#"{"tone":"red","shades":[0]}"#, #"\"shades\" contains 0, expected an integer from 1 to 9"#),
            (#"{"tone":"red","shades":[[1]]}"#, "-32602"), (#"{"tone":"red","shades":[null]}"#, "-32602"),
        ] {
            let answer = try await client.call("open", #"{"route":"palette","parameters":\#(given)}"#)
            #expect(answer.contains(shown), "\(given): \(answer)")
        }
        withExtendedLifetime(host) {}
    }

    @Test("A wireframe opens its own route with a type, also from a worker", arguments: [false, true])
    func push(isIsolated: Bool) async throws {
        let root = try await root()
        let options = isIsolated ? ["--isolate", "palette"] : []
        let go = try await root.host("run", "palette/first", "--press", "go") { $0.arguments += options }
        #expect(go.text == "Palette\ngreen [1, 9] [\"a,b\", \"\"] 0.5\n", "\(go)")
        let wrong = try await root.host("run", "palette/first", "--press", "wrong") { $0.arguments += options }
        #expect(wrong.text.contains("parameter \"shades\" contains 10, expected an integer from 1 to 9"), "\(wrong)")
    }

    /// A manifest that does not match the argument types of the module, and the difference.
    struct Difference: CustomTestStringConvertible {
        var manifest: ManifestText
        var text: String
        var testDescription: String { text }
    }

    static let differences = [
        Difference(
            manifest: .palette(tone: #""type": "integer""#),
            text: "route \"palette\": \"tone\" of PaletteRoute is a string, expected an integer as in the manifest"),
        Difference(
            manifest: .palette(tone: #""type": "array", "items": "string""#),
            text:
                "route \"palette\": \"tone\" of PaletteRoute is a string, expected an array of strings as in the manifest"
        ),
        Difference(
            manifest: .palette(tone: #""type": "string", "enum": ["red", "blue"]"#),
            text:
                "route \"palette\": \"tone\" of PaletteRoute is one of red, green, expected one of red, blue as in the manifest"
        ),
        Difference(
            manifest: .palette(tone: #""type": "string""#),
            text:
                "route \"palette\": \"tone\" of PaletteRoute is one of red, green, expected any string as in the manifest"
        ),
        Difference(
            manifest: .palette(tone: #""type": "string", "enum": ["red", "green"], "default": null"#),
            text:
                "route \"palette\": \"tone\" of PaletteRoute is not optional, expected an optional property as in the manifest"
        ),
        Difference(
            manifest: .palette(others: #", { "name": "size", "type": "integer", "summary": "s" }"#),
            text: "route \"palette\": PaletteRoute has no property \"size\", which the manifest requires"),
    ]

    @Test("host test finds an argument type that differs from the manifest", arguments: differences)
    func checkOfDifference(difference: Difference) async throws {
        let root = try ScratchRoot()
        try await root.add(.palette, difference.manifest)
        let result = try await root.host("test", "palette", "--check", "arguments")
        #expect(result.ending == .code(1), "\(result)")
        #expect(
            result.text
                == "palette 1.0.0\n  FAILED  arguments: routes, services and argument types match the manifest\n          \(difference.text)\n",
            "\(result)")
    }

    @Test("host test passes a module whose argument types match the manifest")
    func checkOfMatch() async throws {
        let root = try await root()
        let result = try await root.host("test", "palette")
        #expect(result.ending == .code(0) && result.text.contains("  passed  arguments: "), "\(result)")
    }

    @Test("host build refuses a module whose argument types differ from the manifest, and installs nothing")
    func build() async throws {
        let root = try ScratchRoot()
        let source = "\(root.folder.path)/Palette"
        try root.folder.write(ModuleFixture.palette.source, to: "Palette/Palette.swift")
        let difference = Self.differences[1]
        try root.folder.write(difference.manifest.text, to: "Palette/palette.json")
        let refused = try await root.host("build", source)
        #expect(refused.ending == .code(70), "\(refused)")
        #expect(
            refused.errors
                == """
                host: cannot use module "palette": \(difference.text)
                  fix: change the manifest or the code so that they agree

                """)
        #expect(!FileManager.default.fileExists(atPath: "\(root.path)/Plugins/libPalette.so"))
        try root.folder.write(ManifestText.palette.text, to: "Palette/palette.json")
        #expect(try await root.host("build", source).ending == .code(0))
    }

    @Test("host build refuses a module whose routes differ from the manifest, without creating the module")
    func registrations() async throws {
        let root = try ScratchRoot()
        let source = "\(root.folder.path)/Palette"
        let unmakeable = ModuleFixture.palette.source.replacing(
            "init(services: any ServiceResolver) {}", with: "init(services: any ServiceResolver) { fatalError() }")
        try root.folder.write(unmakeable, to: "Palette/Palette.swift")
        try root.folder.write(ManifestText.palette(route: "pallete").text, to: "Palette/palette.json")
        let missing = try await root.host("build", source)
        #expect(
            missing.errors.contains("its manifest declares the route \"pallete\", but its code does not register it"),
            "\(missing)")
        try root.folder.write(
            ManifestText("palette", library: "libPalette.so", routes: []).text, to: "Palette/palette.json")
        let undeclared = try await root.host("build", source)
        #expect(
            undeclared.errors.contains(
                "its code registers the route \"palette\", but its manifest does not declare it\n  also  its code registers the route \"palette/first\""
            ),
            "\(undeclared)")
        #expect(!FileManager.default.fileExists(atPath: "\(root.path)/Plugins/libPalette.so"))
    }

    @Test("host build refuses an argument type that cannot be compared, and says which")
    func incomparable() async throws {
        let root = try ScratchRoot()
        let source = ModuleFixture.palette.source.replacing("Codable, CaseIterable", with: "Codable")
        try root.folder.write(source, to: "Palette/Palette.swift")
        try root.folder.write(ManifestText.palette.text, to: "Palette/palette.json")
        let refused = try await root.host("build", "\(root.folder.path)/Palette")
        #expect(
            refused.errors.contains(
                "route \"palette\": PaletteRoute cannot be compared: cannot record parameter \"tone\": its type Tone refuses the trial value \"1\"; fix: conform Tone to CaseIterable"
            ), "\(refused)")
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// Terminal control and invisible characters in file names, manifests, module data and command lines. The host prints
/// no such character in any format.
@Suite(.fewAtOnce, .hangLimit)
struct HarmlessOutputTests {
    /// Invisible characters that JSON strings may contain: bidirectional, zero-width, tag, separator and C1 characters.
    private static let invisible = "\u{9B}2J\u{202E}\u{2066}\u{200B}\u{2060}\u{FEFF}\u{AD}\u{E0041}\u{2028}\u{2029}"
    private static let hostile = "x\u{1B}[31m\u{7}\n" + invisible + "y"
    /// Joiners that are a valid part of a name and of an emoji.
    private static let name = "👩\u{200D}🚀 می\u{200C}خواهم"

    private let root: ScratchRoot
    private let library: String
    private var folder: String { root.folder.path }

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("details")
        // A library with a hostile file name that belongs to no module of the root.
        library = "\(root.folder.path)/lib\(Self.hostile).so"
        try root.copy(Products.companyList, to: "../../lib\(Self.hostile).so")
        try root.copy(Products.companyList, to: "lib\(Self.hostile).so")
        try root.add(manifest: "{ \"\(Self.invisible)\\u001b\": 1 }", as: "\(Self.hostile).json")
        try root.add(ManifestText("evil", library: "lib\(Self.invisible).so", routes: ["evil"]))
        let manifest = try String(contentsOfFile: "\(root.path)/Manifests/company-list.json", encoding: .utf8)
        try root.add(
            manifest: manifest.replacing("Lists people by company", with: Self.invisible + Self.name),
            as: "company-list.json")
        let people = try String(
            contentsOfFile: "\(root.path)/Plugins/CompanyList/Resources/company.json", encoding: .utf8)
        try root.folder.write(
            people.replacing("Bertha", with: "\(Self.invisible)\\u001b[31m\\n\(Self.name)"), to: "data/company.json")
        let digest = String(repeating: "1", count: 64)
        let report = ["module", "library", "phase", "ending", "backtrace", "output"].map {
            "\"\($0)\": \"\($0)\(Self.invisible)\\u001b\""
        }
        try root.folder.write(
            "{ \"digest\": \"\(digest)\", \"when\": \"\", \(report.joined(separator: ", ")) }",
            to: "state/quarantine/\(digest).json")
        try root.folder.write("{", to: "Source\(Self.hostile)/a.json")
        try root.folder.write("", to: "Source\(Self.hostile)/a.swift")
    }

    /// Returns true for a harmful character. Independent of the code under test.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xE_0000...0xE_00FF: true
        default: false
        }
    }

    private func expectHarmless(_ text: String, _ source: some CustomStringConvertible) {
        let harmful = text.unicodeScalars.filter(Self.isHarmful).map { String($0.value, radix: 16) }
        #expect(harmful.isEmpty, "\(source)")
    }

    /// Command lines. `$` stands for the hostile text, `LIBRARY` for the library's path, `SOURCE` for the source
    /// folder, and `FOLDER` for the scratch folder.
    private static let commands = [
        "", "modules", "modules --format json", "routes", "routes --format json", "services", "services --format json",
        "run list --data FOLDER/data", "run list --data FOLDER/data --format json",
        "run person id=58f9a19680685a4e1e6d5016 --data FOLDER/data", "run evil", "run $", "run list $=1",
        "run list --press $", "run list --data $", "run list --use $=$", "run list --set $.$=$", "--$", "$", "new $",
        "inspect LIBRARY", "inspect LIBRARY --format json", "inspect /$.so", "pack LIBRARY /$.json",
        "pack LIBRARY SOURCE/a.json", "build SOURCE", "build /$", "test LIBRARY", "test $", "modules --via /$.sock",
        "quarantine --state FOLDER/state", "quarantine --state FOLDER/state --format json",
        "quarantine show 1 --state FOLDER/state", "quarantine show 1 --state FOLDER/state --format json",
        "quarantine show $", "quarantine $",
    ]

    @Test("No command prints harmful characters")
    func everyCommand() async throws {
        for line in Self.commands {
            let words: [String] = line.split(separator: " ").map { word in
                String(word).replacing("$", with: Self.hostile).replacing("LIBRARY", with: library)
                    .replacing("SOURCE", with: "\(folder)/Source\(Self.hostile)").replacing("FOLDER", with: folder)
            }
            let result = try await root.host(environment: ["XDG_STATE_HOME": "\(folder)/none"]) {
                let isRootless = ["inspect", "pack", "new"].contains(words.first)
                $0.arguments = words + (isRootless ? [] : $0.arguments)
            }
            expectHarmless(result.text + result.errors, "\(line): \(result)")
            if line.hasSuffix("json"), result.ending == .code(0) {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: result.output) }
            }
        }
    }

    @Test("Text output replaces each hostile character, and JSON output escapes it")
    func kept() async throws {
        let text = try await ChildProcess(Products.host, ["inspect", library]).run()
        #expect(text.text.hasPrefix("libx\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}2J\u{FFFD}"), "\(text)")
        struct Report: Decodable { var file: String }
        let json = try await ChildProcess(Products.host, ["inspect", library, "--format", "json"]).run()
        #expect(
            try JSONDecoder().decode(Report.self, from: json.output).file.unicodeScalars.elementsEqual(
                "lib\(Self.hostile).so".unicodeScalars))
        #expect(json.text.contains(#"\u202e\u2066\u200b\u2060\ufeff\u00ad\udb40\udc41\u2028\u2029"#), "\(json)")
        let routes = try await root.host("routes")
        #expect(routes.text.contains("\u{FFFD}2J\u{FFFD}") && routes.text.contains(Self.name), "\(routes)")
        for format in ["text", "json"] {
            let list = try await root.host("run", "list", "--data", "\(folder)/data", "--format", format)
            #expect(list.ending == .code(0) && list.text.contains(Self.name), "\(list)")
        }
    }

    @Test("A scripted session and a coloured screen contain no harmful characters")
    func session() async throws {
        let script = try root.folder.write(
            "select 58f9a19680685a4e1e6d5016\nback\npress \(Self.invisible)\nquit\n", to: "script")
        for format in ["text", "json"] {
            let result = try await root.host("run", "-i", "list", "--data", "\(folder)/data", "--format", format) {
                $0.input = script
            }
            #expect(result.text.contains(Self.name), "\(result)")
            expectHarmless(result.text + result.errors, "\(result)")
        }
        let terminal = try root.terminal("run", "list", "--data", "\(folder)/data")
        let shown = try await terminal.end().shown
        #expect(shown.contains("\u{1B}[1m"))
        // The escape sequences of the host's own style.
        expectHarmless(shown.replacing(/\u{1B}\[(?:0|1|2|31)m/, with: ""), shown)
        // Only errors are red, and this screen has none. The row's text contains this sequence.
        #expect(!shown.contains("\u{1B}[31m"), "\(shown)")
    }

    @Test("A serving host sends and logs no harmful characters, and its JSON is valid")
    func serving() async throws {
        let (host, client) = try ServingHost.atStandardIO(
            root, "--data", "\(folder)/data", environment: ["XDG_STATE_HOME": "\(folder)/none"])
        let calls = [
            ("open", #"{"route":"list"}"#), ("routes", "{}"), ("modules", "{}"),
            ("open", "{\"route\":\"\(Self.invisible)\"}"),
            (Self.invisible, "{}"), ("open", "{\"\(Self.invisible)\":1}"),
        ]
        for (method, parameters) in calls {
            let answer = try await client.call(method, parameters)
            #expect(answer.contains(#"\u202e"#), "\(answer)")
            expectHarmless(answer, answer)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(answer.utf8)) }
        }
        try root.add(manifest: "{", as: "late\(Self.hostile).json")
        try await host.wait(forLog: " is refused: cannot use manifest \"Manifests/latex")
        expectHarmless(host.log, host.log)
    }
}

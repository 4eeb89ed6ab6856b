import Foundation
import HostDriver
import TestSupport
import Testing

/// `host run -i` with a script: no prompt, no spinner, results on standard output and errors on standard error.
@Suite(.fewAtOnce)
struct SessionScriptTests {
    private func run(_ input: String, _ route: String, _ options: String...) async throws -> ChildResult {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        try await root.add(.workshop, .workshop)
        return try await root.host("run", "-i", route) { child in
            child.arguments += options
            child.input = (try? root.folder.write(Data(input.utf8), to: "input")) ?? ""
        }
    }

    @Test("Numbered screens follow each other, without other output")
    func screens() async throws {
        let result = try await run("fill item = Apples = red\nadd\n1\nquit\nadd\n", "workshop/form")
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        let screens = result.text.components(separatedBy: "\n\n")
        #expect(screens.count == 4)
        #expect(screens[0].hasSuffix("  1  [add] Add it\n  2  [leave] Leave"))
        #expect(
            screens[2] == """
                Form
                fill item, press add
                Added
                  1   Apples = red   1
                  Item        [ Apples = red]
                  名 Amount   [1]
                  2  [add] Add it
                  3  [leave] Leave
                """)
        #expect(screens[3].hasPrefix("Form\nfill item, press add, select added\n"))
    }

    @Test("Events of the command line happen first")
    func eventsFirst() async throws {
        let result = try await run("", "workshop/form", "--fill", "item=Pears")
        #expect(result.text.hasPrefix("Form\nfill item\n  Item        [Pears]\n"), "\(result)")
    }

    @Test("home closes all scenes but the lowest, and back on that one ends the session")
    func homeAndBack() async throws {
        let result = try await run("1\nhome\nback\n1\n", "list")
        #expect(result.ending == .code(0))
        let titles = result.text.components(separatedBy: "\n\n").map { $0.prefix { $0 != "\n" } }
        #expect(titles == ["People by company", "Bertha Irwin", "People by company"])
        #expect(try await run("home\n", "list").text.components(separatedBy: "People by company").count == 3)
    }

    @Test("An invalid line is answered with one error line, and the session continues")
    func invalidLines() async throws {
        let cases = [
            ("bakc", "\"bakc\": unknown command or action; did you mean back"),
            ("ad", "\"ad\": unknown command or action; did you mean add"),
            ("Xyzzy plugh", "\"Xyzzy plugh\": unknown command or action; help lists all commands"),
            ("0", "\"0\": expected a number from 1 to 2"),
            ("99999999999999999999", "\"99999999999999999999\": expected a number from 1 to 2"),
            ("back now", "\"back now\": back takes no arguments"),
            ("press", "\"press\": expected press ACTION"),
            ("fill colour", "\"fill colour\": unknown field, expected item, amount"),
            ("a\u{0}\u{1B}[2Jb", "\"a\u{FFFD}\u{FFFD}[2Jb\": unknown command or action; help lists all commands"),
        ]
        let result = try await run(cases.map { $0.0 + "\n" }.joined() + "add", "workshop/form")
        #expect(result.ending == .code(0))
        #expect(result.errors == cases.map { "host: cannot parse \($0.1)\n" }.joined())
        // The last line is handled without a newline, too.
        #expect(result.text.contains("press add\n"))
    }

    @Test("An impossible event is answered with the existing elements, and the session continues")
    func refused() async throws {
        let result = try await run("press Add\nselect 7\nfill x=1\nadd\n", "workshop/form")
        #expect(result.ending == .code(0))
        #expect(
            result.errors.hasPrefix(
                "host: cannot press action \"Add\": the screen \"Form\" does not contain it\n  available  add, leave\n")
        )
        #expect(result.errors.contains("host: cannot select row \"7\""))
        #expect(result.errors.contains("host: cannot fill field \"x\""))
        #expect(result.text.contains("press add\n"))
    }

    @Test("A line that is too long or not UTF-8 is refused, and the next one is read")
    func unusable() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        let long = Data(repeating: UInt8(ascii: "x"), count: 3 << 20)
        let input = long + Data("\n".utf8) + Data([0x31, 0xFF, 0x0A]) + Data("1\r\n".utf8) + long
        let result = try await root.host("run", "-i", "list") { child in
            child.input = (try? root.folder.write(input, to: "input")) ?? ""
        }
        #expect(result.ending == .code(0))
        let tooLong = "host: cannot parse \"the line\": it is longer than 1048576 bytes\n"
        #expect(result.errors == tooLong + "host: cannot parse \"the line\": it is not UTF-8\n" + tooLong)
        #expect(result.text.contains("\n\nBertha Irwin\n"))
    }

    @Test("A dialog reads the next lines, and ends with the input")
    func dialog() async throws {
        let result = try await run("fill\nApples\n\nadd\nfill item\nLast", "workshop/form")
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        #expect(result.text.contains("  1  Apples   1\n"))
        #expect(
            result.text.hasSuffix("  Item        [Last]\n  名 Amount   [1]\n  2  [add] Add it\n  3  [leave] Leave\n"))
    }

    @Test("With JSON, each line is answered by one line with a screen, also after an error")
    func json() async throws {
        let result = try await run("1\nnonsense\nhelp\nback\nquit\n", "list", "--format", "json")
        #expect(result.ending == .code(0))
        let screens = try result.text.split(separator: "\n").map {
            try JSONDecoder().decode(Title.self, from: Data($0.utf8)).title
        }
        #expect(
            screens == ["People by company", "Bertha Irwin", "Bertha Irwin", "Bertha Irwin", "People by company"])
        #expect(result.errors.contains("\"nonsense\"") && result.errors.contains("IN A SESSION"))
    }

    private struct Title: Decodable { var title: String }

    @Test("The help of a session is also part of the help of run")
    func help() async throws {
        let session = try await run("help\n", "list").errors
        #expect(session.hasPrefix("IN A SESSION\n  NUMBER"))
        let run = try await ChildProcess(Products.host, ["run", "--help"]).run().text
        #expect(run.contains(session))
        for word in ["select ROW", "fill FIELD=TEXT", "back", "home", "help", "quit"] {
            #expect(session.contains("\n  \(word) "), "\(word)")
        }
    }

    @Test("A route that cannot be opened starts no session")
    func unopened() async throws {
        let result = try await run("quit\n", "lits")
        #expect(result.ending == .code(69))
        #expect(result.errors.hasPrefix("host: cannot open route \"lits\""))
        #expect(result.text == "")
    }

    @Test("A pipe can be the input, and a closed output ends the host without a message or leftovers")
    func pipes() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        let walked = try await root.host("run", "-i", "list") { child in
            child.arguments = ["-c", "printf '5\\nback' | \"$@\"", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        #expect(walked.text.components(separatedBy: "\n\n").count == 3, "\(walked)")
        let left = try await root.host("run", "-i", "list") { child in
            child.arguments = ["-c", "yes 1 | \"$@\" | head -n 1", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        #expect(left.text == "People by company\n")
        #expect(left.errors == "")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A failed write of the output exits with 74")
    func fullDevice() async throws {
        let root = try ScratchRoot()
        let result = try await root.host("run", "-i", "list") { $0.output = .file("/dev/full") }
        #expect(result.ending == .code(74))
        #expect(result.errors == "host: cannot write \"the output\": No space left on device\n")
        #expect(try root.temporaryFolders() == [])
    }
}

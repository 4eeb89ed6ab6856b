import HostDriver
import TestSupport
import Testing

/// The options `--fill`, `--press` and `--select`.
@Suite(.fewAtOnce)
struct EventTests {
    private func form(_ options: String...) async throws -> ChildResult {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        return try await root.host("run", "workshop/form") { $0.arguments += options }
    }

    @Test("Events happen in the given order, and the last screen is shown")
    func order() async throws {
        let result = try await form(
            "--fill", "item=Apples = red", "--fill=amount=3", "--press", "add", "--select", "added", "--fill",
            "item=Later")
        #expect(result.ending == .code(0), "\(result)")
        #expect(
            result.text == """
                Form
                fill item, fill amount, press add, select added, fill item
                Added
                  Apples = red   3
                  Item        [Later]
                  名 Amount   [3]
                  [add] Add it
                  [leave] Leave

                """)
    }

    @Test("Another order leads to another screen")
    func otherOrder() async throws {
        let result = try await form("--press", "add", "--fill", "amount=3")
        #expect(result.text.contains("press add, fill amount\nAdded\n     1\n"), "\(result)")
    }

    @Test("An event on a missing element is a usage error that lists the existing ones")
    func unknown() async throws {
        let cases: [(options: [String], error: String)] = [
            (
                ["--fill", "itm=A"],
                "cannot fill field \"itm\": the screen \"Form\" does not contain it\n  available  item, amount"
            ),
            (
                ["--press", "Add"],
                "cannot press action \"Add\": the screen \"Form\" does not contain it\n  available  add, leave"
            ),
            (
                ["--select", "added"],
                "cannot select row \"added\": the screen \"Form\" does not contain it\n  available  none"
            ),
        ]
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        for (options, error) in cases {
            let result = try await root.host("run", "workshop/form") { $0.arguments += options }
            #expect(result.ending == .code(64))
            #expect(result.errors == "host: \(error)\n")
            #expect(result.text == "")
        }
    }

    @Test("An action that closes the scene shows its last screen, which offers nothing to use")
    func leaving() async throws {
        let result = try await form("--fill", "item=Pears", "--press", "leave")
        #expect(result.ending == .code(0))
        #expect(result.text == "Form\nfill item\n(closed)\n", "\(result)")
        let json = try await form("--press", "leave", "--format", "json")
        #expect(!json.text.contains("actions") && !json.text.contains("form"), "\(json)")
    }

    @Test("An incomplete event option is a usage error")
    func malformed() async throws {
        let cases = [
            (
                ["--fill", "item"],
                "cannot parse \"--fill\": expected FIELD=TEXT\n  fix: write FIELD=TEXT"
            ),
            (["--press"], "cannot parse \"--press\": its value is missing\n  fix: write --press ACTION"),
        ]
        let root = try ScratchRoot()
        for (options, error) in cases {
            let result = try await root.host("run", "list") { $0.arguments += options }
            #expect(result.ending == .code(64))
            #expect(result.errors == "host: \(error)\n")
        }
    }
}

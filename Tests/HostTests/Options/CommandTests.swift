import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct CommandTests {
    private func host(_ arguments: String...) async throws -> ChildResult {
        try await ChildProcess(Products.host, arguments, environment: ["VIPER_ROOT": Products.repository]).run()
    }

    @Test("host and host --help show the commands, an example and the routes of the root")
    func overview() async throws {
        let root = try ScratchRoot()
        func host(_ arguments: String...) async throws -> ChildResult {
            try await ChildProcess(Products.host, arguments, environment: ["VIPER_ROOT": root.path]).run()
        }
        let alone = try await host()
        #expect(alone.ending == .code(0))
        #expect(alone.errors == "")
        for command in ["run ", "routes ", "modules ", "services ", "new NAME", "build DIR"] {
            #expect(alone.text.contains("\n  \(command)"), "\(command)")
        }
        #expect(alone.text.contains("\nEXAMPLE\n  host run list\n"))
        #expect(
            alone.text.hasSuffix(
                """
                ROUTES
                  ROUTE        PARAMETERS     MODULE        STATE     SUMMARY
                  list                        company-list  resolved  Lists people by company
                  list/chart                  company-list  resolved  Compares the balances of the companies
                  list/search  [text=STRING]  company-list  resolved  Searches the people of the list
                  person       id=STRING      company-list  resolved  Shows one person of the list

                """))
        #expect(try await host("--help").text == alone.text)
        #expect(try await host("-h").text == alone.text)
        #expect(try await host("help").text == alone.text)
        #expect(try await host("help", "run").text == host("run", "--help").text)
    }

    @Test("Without a root, host shows the help and says why no root is found")
    func overviewWithoutRoot() async throws {
        let bare = try await BareHost()
        let result = try await bare.run([])
        #expect(result.ending == .code(0))
        #expect(result.text.contains("\nEXAMPLE\n"))
        #expect(result.text.contains("\nROUTES\n  none: cannot find a root from \"/\": "), "\(result)")
    }

    @Test(
        "The help of each command shows an example with a valid command line",
        arguments: ["run", "routes", "modules", "services", "inspect", "pack", "test", "completion"])
    func help(command: String) async throws {
        let result = try await host(command, "--help")
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        #expect(result.text.contains("\nUSAGE\n  host \(command) "))
        let example = try #require(result.text.split(separator: "\nEXAMPLE\n").last)
        #expect(example.hasPrefix("  host \(command)"))
        let words = example.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init)
        let shown = try await ChildProcess(
            Products.host, words.map { $0.hasPrefix("~") ? Products.repository : $0 },
            environment: ["VIPER_ROOT": Products.repository]
        ).run()
        // The file in these examples does not exist.
        #expect(shown.ending == .code(["inspect", "pack"].contains(command) ? 66 : 0), "\(shown)")
    }

    @Test(
        "Each command that works on files has a help and needs an argument",
        arguments: ["new", "build", "inspect", "pack"])
    func helpOfTools(command: String) async throws {
        let result = try await host(command, "--help")
        #expect(result.ending == .code(0))
        #expect(result.text.contains("\nUSAGE\n  host \(command) "))
        #expect(result.text.contains("\nEXAMPLE\n  host \(command) "))
        let alone = try await host(command)
        #expect(alone.ending == .code(64))
        #expect(alone.errors.contains("\n  fix: write host \(command) "), "\(alone)")
    }

    @Test("--version and version show the versions of host and ViperKit")
    func version() async throws {
        let result = try await host("--version")
        #expect(try await host("version").text == result.text)
        #expect(result.ending == .code(0))
        #expect(result.text.wholeMatch(of: /host \d+\.\d+\.\d+ \(ViperKit 1\.1\)\n/) != nil, "\(result)")
        #expect(result.errors == "")
    }

    @Test("An invalid command line exits with 64 and one error, without output")
    func usage() async throws {
        let cases: [(words: [String], error: String)] = [
            (
                ["list"],
                "\"list\": unknown command\n  fix: see host --help; to open a route, write host run list"
            ),
            (["rotues"], "\"rotues\": unknown command\n  fix: write routes"),
            (["services", "list"], "\"list\": host services takes no arguments\n  fix: remove it"),
            (["modules", "a", "b"], "\"b\": host modules takes no more arguments\n  fix: remove it"),
            (["vesion"], "\"vesion\": unknown command\n  fix: write version"),
            (["help", "lst"], "\"lst\": unknown command\n  fix: see host --help; to open a route, write host run lst"),
            (["build"], "\"build\": DIR is missing\n  fix: write host build DIR"),
            (["routes", "--frmat", "json"], "\"--frmat\": unknown option\n  fix: write --format"),
            (["routes", "--zzzzzz"], "\"--zzzzzz\": unknown option\n  fix: see host routes --help"),
            (["routes", "--format"], "\"--format\": its value is missing\n  fix: write --format text|json"),
            (
                ["routes", "--format", "xml"],
                "\"--format xml\": unknown format\n  fix: write text or json"
            ),
            (["routes", "--verbose=yes"], "\"--verbose\": it takes no value\n  fix: write --verbose alone"),
            (["--root"], "\"--root\": its value is missing\n  fix: write --root DIR"),
        ]
        for (words, error) in cases {
            let result = try await ChildProcess(
                Products.host, words, environment: ["VIPER_ROOT": Products.repository]
            ).run()
            #expect(result.ending == .code(64))
            #expect(result.errors == "host: cannot parse \(error)\n")
            #expect(result.text == "")
        }
    }

    @Test("An error about a wrong path or name says what is wrong with it, and what to do")
    func mistakes() async throws {
        let root = try ScratchRoot()
        let folder = root.folder.path
        let file = try root.folder.write("", to: "Slow.swift")
        let cases: [(words: [String], code: Int32, error: String)] = [
            (["build", file], 66, "cannot build \"\(file)\": it is not a folder\n"),
            (["inspect", "\(folder)/no.so"], 66, "cannot read library \"\(folder)/no.so\": "),
            (["pack", "\(folder)/no.so", file], 66, "cannot read library \"\(folder)/no.so\": "),
            (["run", "list", "--state", file], 74, "cannot open folder \"\(file)\": it is not a folder\n"),
            (["run", "--zzzzzz"], 64, "cannot parse \"--zzzzzz\": unknown option\n  fix: see host run --help\n"),
            (["new", "Ünï"], 64, "fix: write host new ShoppingList\n"),
            (["test", "company-list", "x=1"], 64, "cannot parse \"x\": no route of company-list has this parameter\n"),
        ]
        for (words, code, error) in cases {
            let result = try await ChildProcess(
                Products.host, words, environment: root.environment.merging(["VIPER_ROOT": root.path]) { $1 }
            ).run()
            #expect(result.ending == .code(code) && result.errors.contains(error), "\(words): \(result)")
        }
        let via = try await ChildProcess(Products.host, ["routes", "--via", folder], environment: root.environment)
            .run()
        #expect(via.ending == .code(69) && via.errors.hasSuffix("not a folder\n"), "\(via)")
    }

    @Test("The help lists no option that only the host itself uses")
    func hidden() async throws {
        let serve = try await host("serve", "--help")
        #expect(serve.text.contains("--stdio") && serve.text.contains(#""load"|"arguments"|"make"|"health""#))
        #expect(!serve.text.contains("--as-is") && !serve.text.contains("--owner"))
        #expect(try await !host("test", "--help").text.contains("--stdio"))
    }

    @Test("An argument that is not valid UTF-8 is a usage error")
    func encoding() async throws {
        let words = ["-c", "exec \"$0\" build $'Hello\\xff'", Products.host]
        let result = try await ChildProcess("bash", words).run()
        #expect(result.ending == .code(64))
        #expect(result.errors.hasPrefix("host: cannot parse \"Hello\u{FFFD}\": it is not valid UTF-8\n"), "\(result)")
    }

    @Test("An unknown route exits with 69, and the error suggests similar names")
    func unknownRouteError() async throws {
        let root = try ScratchRoot()
        try root.add(.workshop)
        let near = try await root.host("run", "lits")
        #expect(near.ending == .code(69))
        #expect(
            near.errors == """
                host: cannot open route "lits": no module provides it
                  looked in     Manifests (2 modules, 7 routes)
                  did you mean  list

                """)
        let far = try await root.host("run", "x")
        #expect(far.ending == .code(69))
        #expect(
            far.errors == """
                host: cannot open route "x": no module provides it
                  looked in  Manifests (2 modules, 7 routes)
                  fix: open a route from a manifest's "routes"; host routes lists them

                """)
        #expect(near.text + far.text == "")
        try root.folder.write(#"{"set": {"company-list": {"x": 1}}}"#, to: "root/host.json")
        let refused = try await root.host("run", "lits")
        #expect(refused.errors.contains("\n  did you mean  list (refused)\n"), "\(refused)")
    }
}

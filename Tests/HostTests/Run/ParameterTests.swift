import HostDriver
import TestSupport
import Testing

/// `NAME=VALUE` on the command line, as a module receives it.
@Suite(.fewAtOnce)
struct ParameterTests {
    private func greet(_ words: String...) async throws -> ChildResult {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        return try await root.host("run") { $0.arguments.insert(contentsOf: ["workshop/greet"] + words, at: 1) }
    }

    private static let usage = "who=STRING [times=INTEGER] [loud=BOOLEAN] [height=NUMBER]"

    @Test("Parameters reach the module with the types that its manifest declares")
    func typed() async throws {
        let result = try await greet("who=Zoë = all", "times=-21", "loud=true", "height=1.5e1")
        #expect(result.text == "Hello\nwho Zoë = all\ntimes -42\nloud false\nheight 7.5\n", "\(result)")
    }

    @Test("Parameters may follow the route as in a URI, and those in words are added")
    func address() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        let served = try await ServingHost(root)
        let address = "workshop/greet?who=Zo%C3%AB%20%3D%20all&times=-21"
        let text = "Hello\nwho Zoë = all\ntimes -42\nloud false\nheight 7.5\n"
        let places = [
            ["--root", root.path], ["--root", root.path, "--isolate", "workshop"], ["--via", served.socket],
        ]
        for place in places {
            func run(_ words: String...) async throws -> ChildResult {
                try await ChildProcess(
                    root.executable, ["run", address] + words + place, environment: root.environment
                )
                .run()
            }
            let result = try await run("loud=true", "height=15")
            #expect(result.text == text, "\(place) \(result)")
            // A parameter in both places is given twice.
            let twice = try await run("times=3")
            #expect(twice.ending == .code(64), "\(twice)")
            #expect(twice.errors.contains("parameter \"times\" is given 2 times, expected an integer"), "\(twice)")
        }
        let client = try served.client()
        let opened = try await client.call(
            "open", #"{"route":"workshop/greet?who=Z","parameters":{"times":3,"loud":"true"}}"#)
        #expect(opened.contains(#""text":"6""#) || opened.contains("times 6"), "\(opened)")
        let both = try await client.call("open", #"{"route":"workshop/greet?who=Z&times=2","parameters":{"times":3}}"#)
        #expect(both.contains(#"parameter \"times\" is given twice"#), "\(both)")
        let broken = try await root.host("run", "workshop/greet?who")
        #expect(broken.ending == .code(64) && broken.errors.contains(#""who" is not NAME=VALUE"#), "\(broken)")
    }

    @Test("Omitted parameters have the manifest's defaults or no value")
    func defaults() async throws {
        let result = try await greet("who=")
        #expect(result.text == "Hello\nwho \ntimes 2\nloud true\nheight unknown\n", "\(result)")
    }

    @Test("A missing, unknown or mistyped parameter is a usage error that lists the parameters")
    func invalidParameters() async throws {
        let cases: [(words: [String], error: String)] = [
            (
                ["times=3"],
                """
                "who" is missing
                  parameters  \(Self.usage)
                  fix: add who=STRING
                """
            ),
            (
                ["who=A", "tims=3"],
                """
                it has no parameter "tims"
                  parameters    \(Self.usage)
                  did you mean  times
                """
            ),
            (
                ["who=A", "times=3.0"],
                "parameter \"times\" is \"3.0\", expected an integer\n  parameters  \(Self.usage)"
            ),
            (
                ["who=A", "times=9223372036854775808"],
                "parameter \"times\" is \"9223372036854775808\", expected an integer of 64 bits\n  parameters  \(Self.usage)"
            ),
            (
                ["who=A", "loud=yes"],
                "parameter \"loud\" is \"yes\", expected true or false\n  parameters  \(Self.usage)"
            ),
            (
                ["who=A", "height=tall"],
                "parameter \"height\" is \"tall\", expected a number\n  parameters  \(Self.usage)"
            ),
            (
                ["who=A", "height=nan"],
                "parameter \"height\" is \"nan\", expected a number\n  parameters  \(Self.usage)"
            ),
        ]
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        for (words, error) in cases {
            let result = try await root.host("run", "workshop/greet") { $0.arguments += words }
            #expect(result.ending == .code(64))
            #expect(result.errors == "host: cannot open route \"workshop/greet\": \(error)\n")
            #expect(result.text == "")
        }
    }

    @Test("A repeated or malformed parameter is a usage error")
    func malformed() async throws {
        let twice = try await greet("who=A", "who=B")
        #expect(twice.ending == .code(64))
        let cause = "parameter \"who\" is given 2 times, expected a string"
        #expect(
            twice.errors
                == "host: cannot open route \"workshop/greet\": \(cause)\n  parameters  \(Self.usage)\n")
        for word in ["who", "=A", ""] {
            let result = try await greet(word)
            #expect(result.ending == .code(64))
            #expect(
                result.errors
                    == "host: cannot parse \"\(word)\": expected NAME=VALUE\n  fix: write NAME=VALUE\n"
            )
        }
    }

    @Test("After -- a value may look like an option")
    func afterDashes() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        let result = try await root.host("run", "workshop/greet") { $0.arguments += ["--", "who=--help"] }
        #expect(result.text.hasPrefix("Hello\nwho --help\n"), "\(result)")
    }
}

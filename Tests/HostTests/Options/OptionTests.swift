import HostDriver
import TestSupport
import Testing

@testable import host

/// The parser and the help agree with the table of the options.
@Suite(.fewAtOnce)
struct OptionTests {
    @Test(
        "a command's help shows all its options; the command accepts them and refuses all others",
        arguments: Command.allCases)
    func table(command: Command) async throws {
        let scratch = try ScratchFolder()
        func run(_ arguments: [String]) async throws -> ChildResult {
            // Without a root, no command does anything.
            var child = ChildProcess(
                Products.host, [command.rawValue] + arguments, environment: ["VIPER_ROOT": "\(scratch.path)/none"])
            child.workingFolder = scratch.path
            return try await child.run()
        }
        let help = try await run(["--help"]).text
        let options = try #require(help.split(separator: "\nOPTIONS\n").last?.split(separator: "\n\n").first)
        let labels = options.split(separator: "\n").filter { $0.hasPrefix("  -") }
            .map { String($0.dropFirst(2).split(separator: "  ")[0]) }
        #expect(labels == command.options.map(Self.label))
        for option in Option.all {
            let value = option.placeholder.map { [Self.values[$0] ?? $0] } ?? []
            for name in option.names {
                let result = try await run(command.operands.map { _ in "ShoppingList" } + [name] + value)
                if option.commands.contains(command) {
                    #expect(result.ending != .code(64), "\(name): \(result)")
                } else {
                    #expect(result.ending == .code(64), "\(name): \(result)")
                    let error = "\"\(name)\": host \(command.rawValue) does not support it\n"
                    #expect(result.errors.hasPrefix("host: cannot parse \(error)"), "\(result)")
                }
            }
        }
    }

    /// A valid value for each placeholder that is not one itself.
    private static let values = [
        "CHECK": "memory", "NAME=VALUE": "calls=1", "SECONDS": "1", "UID": "1", "text|json": "json",
    ]

    private static func label(_ option: Option) -> String {
        option.names.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? "")
    }

    @Test("the overview shows every command, and the options that most commands accept")
    func overview() async throws {
        let help = try await ChildProcess(Products.host, ["--help"], environment: ["VIPER_ROOT": "/none"]).run().text
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for command in Command.allCases {
            let row = [command.rawValue] + command.operands + [command.summary]
            #expect(words.contains(" \(row.joined(separator: " ")) "), "\(command)")
        }
        for option in Option.all {
            #expect(
                words.contains(" \(Self.label(option)) \(option.summary) ")
                    == (option.commands.count > Command.allCases.count / 2), "\(option.names)")
        }
    }

    @Test("no two options have a name in common")
    func names() {
        let names = Option.all.flatMap(\.names)
        #expect(Set(names).count == names.count)
    }
}

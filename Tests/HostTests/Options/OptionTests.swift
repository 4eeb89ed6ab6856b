import HostDriver
import TestSupport
import Testing

@testable import host

/// The parser and the help agree with the table of the options.
@Suite(.fewAtOnce)
struct OptionTests {
    private static let commands = HostCommand.commands

    /// All options, without duplicates.
    private static let all = commands.flatMap { $0.optionDescriptions }.reduce(into: [OptionDescription]()) {
        (all, option) in if !all.contains(where: { $0.names.last == option.names.last }) { all.append(option) }
    }

    private static func supports(_ command: any Command.Type, _ option: OptionDescription) -> Bool {
        command.optionDescriptions.contains { $0.names == option.names }
    }

    @Test(
        "a command's help shows all its options; the command accepts them and refuses all others",
        arguments: commands.map { $0.name })
    func table(name: String) async throws {
        let command = try #require(Self.commands.first { $0.name == name })
        let scratch = try ScratchFolder()
        func run(_ arguments: [String]) async throws -> ChildResult {
            // Without a root, no command does anything.
            var child = ChildProcess(
                Products.host, [command.name] + arguments, environment: ["VIPER_ROOT": "\(scratch.path)/none"])
            child.workingFolder = scratch.path
            return try await child.run()
        }
        let help = try await run(["--help"]).text
        let options = try #require(help.split(separator: "\nOPTIONS\n").last?.split(separator: "\n\n").first)
        let labels = options.split(separator: "\n").filter { $0.hasPrefix("  -") }
            .map { String($0.dropFirst(2).split(separator: "  ")[0]) }
        #expect(labels == command.optionDescriptions.filter { !$0.isHidden }.map(Self.label))
        for option in Self.all {
            let value = option.placeholder.map { [Self.values[$0] ?? $0] } ?? []
            for name in option.names {
                // Only a serving host has metrics.
                let host = command.name == "metrics" && name != "--via" ? ["--via", "none"] : []
                let result = try await run(
                    command.requiredOperands.map { _ in "ShoppingList" } + [name] + value + host)
                if Self.supports(command, option) {
                    #expect(result.ending != .code(64), "\(name): \(result)")
                } else {
                    #expect(result.ending == .code(64), "\(name): \(result)")
                    let error = "\"\(name)\": host \(command.name) does not support it\n"
                    #expect(result.errors.hasPrefix("host: cannot parse \(error)"), "\(result)")
                }
            }
        }
    }

    /// A valid value for each placeholder that is not one itself.
    private static let values = [
        "CHECK": "memory", "NAME=VALUE": "calls=1", "DIGEST": String(repeating: "0", count: 64), "SECONDS": "1",
        "UID": "1", "text|json": "text",
    ]

    private static func label(_ option: OptionDescription) -> String {
        option.names.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? "")
    }

    @Test("the overview shows every command, and the options that most commands accept")
    func overview() async throws {
        let help = try await ChildProcess(Products.host, ["--help"], environment: ["VIPER_ROOT": "/none"]).run().text
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for command in Self.commands {
            let row = [command.name] + command.requiredOperands + [command.summary]
            #expect(words.contains(" \(row.joined(separator: " ")) "), "\(command.name)")
        }
        for option in Self.all {
            #expect(
                words.contains(" \(Self.label(option)) \(option.summary) ")
                    == (Self.commands.count { Self.supports($0, option) } > Self.commands.count / 2), "\(option.names)")
        }
    }

    @Test("no two options have a name in common, and an option takes a value in all commands or in none")
    func names() {
        let names = Self.all.flatMap(\.names)
        #expect(Set(names).count == names.count)
        for option in Self.commands.flatMap({ $0.optionDescriptions }) {
            let same = Self.all.first { $0.names == option.names }
            #expect((same?.placeholder == nil) == (option.placeholder == nil), "\(option.names)")
        }
    }

    @Test("an option may come before the command, and its value may look like a command")
    func order() async throws {
        let root = try ScratchRoot()
        let result = try await ChildProcess(Products.host, ["--root", "\(root.path)", "--format=json", "routes"]).run()
        #expect(result.ending == .code(0), "\(result)")
        #expect(result.text.hasPrefix("["), "\(result)")
        let value = try await ChildProcess(Products.host, ["--root", "run", "routes"]).run()
        #expect(value.ending == .code(66), "\(value)")
    }

    @Test("an option without a command that supports it fails")
    func withoutCommand() async throws {
        let result = try await ChildProcess(Products.host, ["--press", "add"]).run()
        #expect(result.ending == .code(64))
        #expect(result.errors == "host: cannot parse \"--press\": it requires a command\n  fix: remove it\n")
    }
}

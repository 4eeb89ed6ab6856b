import Foundation
import HostDriver
import TestSupport
import Testing

/// `host run -i` with the module `terminal`, in tmux.
@Suite(.fewAtOnce, .needs(.screens))
struct ScreenSessionTests {
    private func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        for name in ["terminal", "launcher", "people", "details", "alert"] { try root.copyManifest(name) }
        try await root.add(.stage, .stage)
        return root
    }

    /// Starts a session in a shell, and waits for its first screen.
    private func start(
        _ root: ScratchRoot, _ command: String, _ terminal: ScreenTerminal, until text: String
    ) async throws {
        try await terminal.run("stty -g > before; \(Products.host) run -i \(command) --root \(root.path)")
        try await terminal.wait(for: text)
    }

    /// Checks that a session has ended with a code, and that the terminal is as it was before.
    private func expectEnd(_ code: String, _ terminal: ScreenTerminal) async throws {
        try await terminal.waitForPrompt()
        try await terminal.run("echo \"code $?\"; stty -g | cmp - before && echo same")
        try await terminal.wait(for: "\nsame")
        try await terminal.wait(for: "\ncode \(code)")
        #expect(try await terminal.isCursorVisible)
        #expect(try await !terminal.isAlternate)
    }

    private func within<Value>(
        _ root: ScratchRoot, columns: Int = 80, environment: [String: String] = [:],
        _ body: (ScreenTerminal) async throws -> Value
    ) async throws -> Value {
        let environment = root.environment.merging(["STAGE": root.folder.path]) { $1 }.merging(environment) { $1 }
        return try await ScreenTerminal.run(columns: columns, environment: environment) { terminal in
            try await terminal.run("cd '\(root.folder.path)'")
            return try await body(terminal)
        }
    }

    @Test("From the menu to people, one is added, shown and removed")
    func flow() async throws {
        let root = try await root()
        try await within(root) { terminal in
            try await start(root, "", terminal, until: "› Companies")
            try await terminal.press("Down")
            try await terminal.wait(for: "› People")
            try await terminal.press("Enter")
            try await terminal.wait(for: "› [ n: Add a person ]")
            try await terminal.press("Enter")
            let form = try await terminal.wait(for: "Age *   [")
            #expect(form.hasPrefix(" Menu › People › Add a person\n"), "\(form)")
            try await terminal.type("Ada")
            try await terminal.press("Tab")
            try await terminal.type("x")
            try await terminal.press("Tab", "Enter")
            try await terminal.wait(for: "! must be a whole number")
            try await terminal.press("BSpace")
            try await terminal.type("36")
            try await terminal.press("Tab", "Enter")
            try await terminal.wait(for: "› Ada - 36")
            try await terminal.wait(for: "✓ Added Ada - 36")
            try await terminal.press("Enter")
            let details = try await terminal.wait(for: "[ Remove ] [ Close ]")
            #expect(details.hasPrefix(" Menu › People › Ada\n"), "\(details)")
            try await terminal.press("Tab", "Enter")
            let alert = try await terminal.wait(for: "┌─ Remove Ada?")
            #expect(alert.contains("Ada - 36"), "\(alert)")
            // The focus is on Cancel.
            try await terminal.press("Left", "Enter")
            let empty = try await terminal.wait(for: "✓ Removed Ada")
            #expect(empty.hasPrefix(" Menu › People\n"), "\(empty)")
            try await terminal.wait(for: "Nobody yet")
            try await terminal.press("Escape")
            try await terminal.wait(for: "› People")
            try await terminal.press("q")
            try await expectEnd("0", terminal)
        }
    }

    @Test("100,000 rows are filtered, and 40 columns are enough")
    func many() async throws {
        let root = try await root()
        try await within(root) { terminal in
            try await start(root, "stage/many", terminal, until: "1 of 100,000")
            try await terminal.press("End")
            try await terminal.wait(for: "› Row 100000")
            try await terminal.press("/")
            try await terminal.type("Row 99999")
            try await terminal.wait(for: "1 of 100,000")
            try await terminal.wait(for: "› Row 99999   699993\n")
            try await terminal.resize(columns: 40, rows: 10)
            let narrow = try await terminal.wait("10 lines") {
                $0.split(separator: "\n", omittingEmptySubsequences: false).count == 11
                    && $0.hasPrefix(" Many\n› Row 99999   699993\n") && $0.contains("\n Filter: Row 99999")
            }
            #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(narrow)")
            try await terminal.press("Enter", "Escape", "q")
            try await expectEnd("0", terminal)
        }
    }

    @Test("Live changes leave what is being typed")
    func typing() async throws {
        let root = try await root()
        try await within(root) { terminal in
            try await start(root, "stage/form", terminal, until: "tick 9")
            for letter in "Lovelace" {
                try await terminal.type(String(letter))
            }
            let screen = try await terminal.wait(for: "Name  [Lovelace ")
            let tick = screen.split(separator: "\n").first { $0.contains("tick") }.map(String.init)
            try await terminal.wait("a later tick") { $0.contains("[Lovelace ") && !$0.contains(tick ?? "") }
            try await terminal.press("Tab")
            try await terminal.wait(for: "✓ filled name")
            try await terminal.press("C-c")
            try await expectEnd("130", terminal)
        }
    }

    @Test("A field is edited in the user's editor, and Ctrl-C there does not end the session")
    func editor() async throws {
        let root = try await root()
        let editor = try root.folder.write(
            "#!/bin/sh\ntrap 'echo edited > \"$1\"; exit 0' INT\necho editing\nwhile :; do sleep 0.05; done\n",
            to: "editor")
        #expect(chmod(editor, 0o700) == 0)
        try await within(root, environment: ["EDITOR": editor]) { terminal in
            try await start(root, "stage/form", terminal, until: "tick")
            try await terminal.press("Tab", "C-o")
            try await terminal.wait(for: "editing")
            try await terminal.press("C-c")
            try await terminal.wait(for: "[edited ")
            try await terminal.wait(for: "✓ filled note")
            try await terminal.press("C-c")
            try await expectEnd("130", terminal)
        }
    }

    @Test("Ctrl-Z gives the terminal back, and fg takes it again")
    func stop() async throws {
        let root = try await root()
        try await within(root) { terminal in
            try await start(root, "stage", terminal, until: "› First")
            try await terminal.press("C-z")
            try await terminal.wait(for: "Stopped")
            try await terminal.waitForPrompt()
            try await terminal.run("stty -g | cmp - before && echo same")
            try await terminal.wait(for: "\nsame")
            #expect(try await terminal.isCursorVisible)
            try await terminal.run("fg")
            try await terminal.wait(for: "› First")
            try await terminal.press("Down")
            try await terminal.wait(for: "› Second")
            try await terminal.press("q")
            try await expectEnd("0", terminal)
        }
    }

    @Test(
        "However the process ends, the terminal is restored",
        arguments: [("crash", "134"), ("exit", "7"), ("TERM", "143"), ("HUP", "129"), ("QUIT", "131")])
    func ending(_ way: String, code: String) async throws {
        let root = try await root()
        // At a terminal, Swift otherwise fills the screen after a crash, and asks whether to start a debugger.
        try await within(root, environment: ["SWIFT_BACKTRACE": "enable=no"]) { terminal in
            try await start(root, "stage", terminal, until: "› First")
            if way == way.uppercased() {
                try await Tool.signal(way, commandLine: "stage --root \(root.path)")
            } else {
                try await terminal.press("Down", "Down")
                for _ in 0..<(way == "crash" ? 2 : 3) { try await terminal.press("Right") }
                try await terminal.press("Enter")
            }
            if way == "crash" { try await terminal.wait(for: "signal 6 in module stage") }
            try await expectEnd(code, terminal)
        }
    }

    @Test("A line of the log is shown below the screen")
    func log() async throws {
        let root = try await root()
        try await within(root) { terminal in
            try await start(root, "stage --press log --press none", terminal, until: "› First")
            let screen = try await terminal.wait(for: "cannot press action")
            #expect(screen.hasPrefix(" Stage\n\n› First\n  Second\n"), "\(screen)")
            try await terminal.press("End", "Down", "Right", "Right", "Right", "Right", "Enter")
            try await terminal.wait(for: " stage: warning: a line of the log")
            try await terminal.press("q")
            try await expectEnd("0", terminal)
        }
    }

    @Test("The session of another host is drawn, and a lost host ends it with an error")
    func via() async throws {
        let root = try await root()
        let host = try await ServingHost(root)
        try await within(root, environment: ["VIPER_ROOT": root.path]) { terminal in
            try await terminal.run("stty -g > before; \(Products.host) run -i stage --via \(host.socket)")
            try await terminal.wait(for: "› First")
            try await terminal.press("Down", "Enter")
            try await terminal.wait(for: "selected second")
            kill(host.process, SIGKILL)
            try await terminal.wait(for: "host: ")
            try await expectEnd("69", terminal)
        }
    }

    @Test("A host that is lost under the user's editor ends the session after the editor")
    func lostUnderEditor() async throws {
        let root = try await root()
        let editor = try root.folder.write(
            "#!/bin/sh\necho editing\nread line\necho \"the editor read $line\"\n", to: "editor")
        #expect(chmod(editor, 0o700) == 0)
        let host = try await ServingHost(root)
        try await within(root, environment: ["VIPER_ROOT": root.path, "EDITOR": editor]) { terminal in
            try await terminal.run("stty -g > before; \(Products.host) run -i stage/form --via \(host.socket)")
            try await terminal.wait(for: "tick")
            try await terminal.press("Tab", "C-o")
            try await terminal.wait(for: "editing")
            host.send(SIGKILL)
            _ = try await host.end()
            try await terminal.type("a line")
            try await terminal.press("Enter")
            try await terminal.wait(for: "the editor read a line")
            let screen = try await terminal.wait(for: "host: ")
            #expect(
                screen.split(separator: "host: ", maxSplits: 1).first?.contains("the editor read") == true, "\(screen)")
            try await expectEnd("69", terminal)
        }
    }

    @Test("Wide, combining and hostile characters stay in their columns")
    func wide() async throws {
        let root = try await root()
        try await within(root, columns: 40) { terminal in
            try await start(root, "stage/wide", terminal, until: "three")
            let screen = try await terminal.screen()
            #expect(
                screen.hasPrefix(" 名前\n\n› 名前     one\n  e\u{301}te\u{301}      two\n  �[31m�x  three\n"),
                "\(screen)")
            try await terminal.press("q")
            try await expectEnd("0", terminal)
        }
    }

    @Test("Colours show the meaning of rows, unless NO_COLOR is set", arguments: [true, false])
    func colour(isColoured: Bool) async throws {
        let root = try await root()
        try await within(root, environment: isColoured ? [:] : ["NO_COLOR": "1"]) { terminal in
            try await start(root, "stage", terminal, until: "› First")
            let screen = try await terminal.colouredScreen()
            #expect(screen.contains("\u{1B}[31mSecond") == isColoured, "\(screen.debugDescription)")
            #expect(screen.contains("Second"))
            try await terminal.press("q")
            try await expectEnd("0", terminal)
        }
    }

    @Test(
        "The session reads lines if the terminal cannot be drawn on, or if it should",
        arguments: [["TERM": "dumb"], ["TERM": ""], ["TERM": "no-such-terminal"], [:]])
    func plain(environment: [String: String]) async throws {
        let root = try await root()
        let option = environment.isEmpty ? ["--plain"] : []
        let session = try root.terminal("run", environment: environment.merging(["NO_COLOR": "1"]) { $1 }) {
            $0.arguments.insert(contentsOf: ["-i", "stage"] + option, at: 1)
        }
        let shown = try await session.wait(for: "> ")
        #expect(shown.contains("  1  First\n"), "\(shown)")
        #expect(!shown.contains("\u{1B}"))
        #expect(
            shown.contains("host: warning: this session reads lines: cannot create service")
                == (environment["TERM"] == "no-such-terminal"), "\(shown)")
        try session.type("quit\n")
        #expect(try await session.end().ending == .code(0))
    }
}

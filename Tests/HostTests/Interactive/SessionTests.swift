import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// `host run -i` at a pseudo-terminal.
@Suite(.fewAtOnce)
struct SessionTests {
    private func leftovers(_ root: ScratchRoot) throws -> [String] {
        try root.temporaryFolders()
    }

    @Test("A user selects a row by its number, goes back and quits, and no file is left")
    func walk() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        let session = try root.terminal("run", "-i", "list", environment: ["NO_COLOR": "1"])
        let list = try await session.wait(for: "> ")
        #expect(list.contains("COMSTAR\n  1  Bertha Irwin      $2,107.15\n"), "\(list)")
        try session.type("5\n")
        let detail = try await session.wait(for: "> ")
        #expect(detail.hasPrefix("5\n\nNorton Curtis\n     Company           RECRISYS\n"), "\(detail)")
        #expect(detail.hasSuffix("\n  1  [close] Close\n> "), "\(detail)")
        try session.type("1\n")
        #expect(try await session.wait(for: "> ").contains("People by company"))
        try session.type("1\n")
        #expect(try await session.wait(for: "> ").contains("Bertha Irwin\n"))
        try session.type("back\n")
        #expect(try await session.wait(for: "> ").contains("People by company"))
        #expect(try !leftovers(root).isEmpty)
        try session.type("quit\n")
        let (ending, shown) = try await session.end()
        #expect(ending == .code(0) && shown == "quit\n")
        #expect(try leftovers(root).isEmpty)
    }

    @Test("A terminal shows colour, and NO_COLOR removes all escape sequences")
    func colour() async throws {
        let root = try ScratchRoot()
        for (environment, isColoured) in [([:], true), (["NO_COLOR": "1"], false)] {
            let session = try root.terminal("run", "--interactive", "list", environment: environment)
            let list = try await session.wait(for: "> ")
            #expect(list.contains("\u{1B}[1mPeople by company\u{1B}[0m") == isColoured)
            #expect(list.contains("\u{1B}") == isColoured)
            try session.type("\u{4}")
            #expect(try await session.end().ending == .code(0))
        }
    }

    @Test("At the prompt Ctrl-D exits with 0 and Ctrl-C with 130, and no file is left")
    func leaving() async throws {
        let root = try ScratchRoot()
        for (key, code) in [("\u{4}", 0), ("\u{3}", 130)] as [(String, Int32)] {
            let session = try root.terminal("run", "-i", "list")
            try await session.wait(for: "> ")
            try session.type(key)
            let (ending, shown) = try await session.end()
            #expect(ending == .code(code), "\(shown)")
            // The shell's prompt starts on its own line.
            #expect(shown.hasSuffix("\n"))
            #expect(try leftovers(root).isEmpty)
        }
    }

    @Test("A spinner turns while a module blocks, and two Ctrl-C end the host")
    func spinner() async throws {
        let root = try ScratchRoot()
        try await root.add(.hold, .hold)
        let pipe = root.folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for isPatient in [true, false] {
            let session = try root.terminal("run", "-i", "hold/wait", environment: ["HOLD": pipe])
            try await session.wait(for: "\r⠋ Loading …")
            try await session.wait(for: "\r⠙ Loading …")
            // Returns once the module has opened the other end.
            let writer = open(pipe, O_WRONLY | O_CLOEXEC)
            defer { close(writer) }
            if isPatient {
                #expect(write(writer, "x", 1) == 1)
                let shown = try await session.wait(for: "> ")
                #expect(shown.contains("\r           \r\u{1B}[1mHeld\u{1B}[0m\nresult 0, sum 41\n"), "\(shown)")
                try session.type("quit\n")
                #expect(try await session.end().ending == .code(0))
            } else {
                try session.type("\u{3}")
                // Two signals at the same time would count as one. The spinner still turns, because the module blocks.
                try await session.wait(for: "^C")
                try await session.wait(for: "⠼ Loading …")
                try session.type("\u{3}")
                #expect(try await session.end().ending == .code(130))
            }
        }
    }

    @Test("Ctrl-C while a scene waits exits and stops the module")
    func interruptedWork() async throws {
        let root = try ScratchRoot()
        try await root.add(.patient, .patient)
        let session = try root.terminal("run", "-i", "patient")
        try await session.wait(for: "> ")
        try session.type("forever\n")
        try await session.wait(for: "Loading …")
        try session.type("\u{3}")
        let (ending, shown) = try await session.end()
        #expect(ending == .code(130))
        #expect(shown.hasSuffix("stopped\n"), "\(shown)")
        #expect(try leftovers(root).isEmpty)
    }

    @Test("A module that does not stop is abandoned after Ctrl-C", arguments: ["quit\n", "\u{3}"])
    func stubborn(leave: String) async throws {
        let root = try ScratchRoot()
        try await root.add(.patient, .patient)
        let session = try root.terminal("run", "-i", "patient", environment: ["PATIENT": "1"])
        try await session.wait(for: "> ")
        try session.type(leave)
        try await session.wait(for: "error: stopped")
        try session.type("\u{3}")
        #expect(try await session.end().ending == .code(130))
    }

    @Test(
        "Ctrl-C during a call that never returns tells the limit, and the host exits with 70 and names the module",
        .long,
        arguments: [
            "while true { usleep(5000) }", "await Task { try? await Task.sleep(for: .seconds(1_000_000)) }.value",
        ])
    func endlessCall(event: String) async throws {
        let root = try ScratchRoot()
        try await root.add(.version("1", event: event), .version())
        let session = try root.terminal("run", "-i", "version", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "> ")
        try session.type("go\n")
        try await session.wait(for: "Loading …")
        try session.type("\u{3}")
        try await session.wait(
            for: "host: waits up to 10 s for running calls; a second signal ends the host at once")
        let (ending, shown) = try await session.end()
        #expect(ending == .code(70), "\(shown)")
        #expect(shown.contains("  has a running call  version\n"), "\(shown)")
        #expect(try leftovers(root).isEmpty)
    }

    @Test("A change of the screen does not displace what is being typed, and is shown after the line")
    func change() async throws {
        let root = try ScratchRoot()
        try await root.add(.stage, .stage)
        let session = try root.terminal(
            "run", "-i", "stage", environment: ["NO_COLOR": "1", "STAGE": root.folder.path])
        try await session.wait(for: "> ")
        try session.type("change\n")
        try await session.wait(for: "> ")
        try session.type("hel")
        try await session.wait(for: "hel")
        #expect(await eventually { FileManager.default.fileExists(atPath: root.folder.path + "/change") })
        try session.type("lo\n")
        let after = try await session.wait(for: "> ")
        #expect(after.hasPrefix("lo\nhost: cannot parse \"hello\""), "\(after)")
        #expect(after.contains("\nStage\nnow\n"), "\(after)")
        try session.type("quit\n")
        #expect(try await session.end().ending == .code(0))
    }

    @Test("A number refers to the screen that was shown last")
    func number() async throws {
        let root = try ScratchRoot()
        try await root.add(.stage, .stage)
        let session = try root.terminal(
            "run", "-i", "stage", environment: ["NO_COLOR": "1", "STAGE": root.folder.path])
        #expect(try await session.wait(for: "> ").contains("1  First"))
        try session.type("insert\n")
        try await session.wait(for: "> ")
        #expect(await eventually { FileManager.default.fileExists(atPath: root.folder.path + "/insert") })
        try session.type("1\n")
        let answer = try await session.wait(for: "> ")
        #expect(answer.contains("selected first\n") && answer.contains("1  Inserted"), "\(answer)")
        try session.type("quit\n")
        #expect(try await session.end().ending == .code(0))
    }

    @Test("A form is filled in field by field, shows errors, and keeps the input")
    func form() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        let session = try root.terminal("run", "-i", "workshop/form", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "> ")
        try session.type("fill\n")
        try await session.wait(for: "Item []: ")
        try session.type("Apples\n")
        try await session.wait(for: "名 Amount [1]: ")
        try session.type("many\n")
        #expect(try await session.wait(for: "名 Amount [many]: ").contains("名 Amount: is no number\n"))
        try session.type("\n")
        let kept = try await session.wait(for: "> ")
        #expect(kept.contains("  Item        [Apples]\n  名 Amount   [many]  ! is no number\n"), "\(kept)")
        try session.type("fill amount\n")
        try await session.wait(for: "名 Amount [many]: ")
        try session.type("3\n")
        #expect(try await session.wait(for: "> ").contains("  名 Amount   [3]\n"))
        try session.type("add\n")
        #expect(try await session.wait(for: "> ").contains("Added\n  1  Apples   3\n"))
        try session.type("leave\n")
        #expect(try await session.end().ending == .code(0))
    }

    @Test("The end of the input during a dialog exits with 0")
    func endInDialog() async throws {
        let root = try ScratchRoot()
        try await root.add(.workshop, .workshop)
        let session = try root.terminal("run", "-i", "workshop/form")
        try await session.wait(for: "> ")
        try session.type("fill\n")
        try await session.wait(for: "Item []: ")
        try session.type("\u{4}")
        #expect(try await session.end().ending == .code(0))
    }
}

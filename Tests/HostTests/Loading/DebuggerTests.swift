import Foundation
import HostDriver
import TestSupport
import Testing

/// The command of the article on testing that debugs a module.
@Suite(.fewAtOnce, .hangLimit)
struct DebuggerTests {
    @Test("The documented command stops at a line of a module's source, in the copy that the host has loaded")
    func breakpoint() async throws {
        let text = try Document(path: Document.catalogue + "/Testing.md").text
        let command = try #require(text.firstMatch(of: /`(lldb -o [^`]+)`/)).output.1
        let line = try #require(command.firstMatch(of: /--file (\S+) --line (\d+)/)).output
        let debugger = try await Debugger.process("exec " + command.replacing("lldb", with: "lldb --batch"))

        let root = try ScratchRoot()
        let package = "\(root.folder.path)/todo-list"
        let made = try await ChildProcess(Products.host, ["new", "TodoList", "--package", package]).run()
        try #require(made.ending == .code(0), "\(made)")
        // A folder builds faster than a package.
        let sources = "\(package)/Sources/TodoList"
        for item in ["Manifests/todo-list.json", "Resources"] {
            let name = item.split(separator: "/").last ?? ""
            try FileManager.default.copyItem(atPath: "\(package)/\(item)", toPath: "\(sources)/\(name)")
        }
        let built = try await root.host("build", sources)
        try #require(built.ending == .code(0), "\(built)")

        var child = debugger
        child.workingFolder = root.path
        let result = try await child.run()
        #expect(result.text.contains("stop reason = breakpoint 1."), "\(result)")
        let place = try Regex("[0-9]-libTodoList\\.so`.* at \(line.1):\(line.2):")
        #expect(result.text.contains(place), "\(result)")
        // The frame is followed by the source.
        #expect(result.text.contains("-> \(line.2)"), "\(result)")
    }
}

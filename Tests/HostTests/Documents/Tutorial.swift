import Foundation
import HostDriver
import TestSupport
import Testing

/// A document whose commands are executed in order, in their own root.
///
/// The root has the bundled modules. Test servers replace the public servers that the documents name.
struct Tutorial {
    private let document: Document
    private let blocks: [Document.Block]
    private let root: ScratchRoot
    private let servers: [TestServer]
    private let path: String
    /// The files in the root and in `Plugins` before the first command.
    private let initialFiles: Set<String>
    /// The variables that the document has exported, as shell commands.
    private var exports: [String] = []

    init(_ document: Document) async throws {
        self.document = document
        blocks = try document.blocks
        root = try ScratchRoot()
        let modules = [
            "account", "alert", "details", "http", "http-client", "launcher", "notes", "people", "postgresql",
            "sqlite", "terminal", "todo", "web",
        ]
        for module in modules { try root.copyManifest(module) }
        let (todos, login) = (try await TestServer("todos"), try await TestServer("login"))
        servers = [todos, login]
        let settings = [("todo", todos), ("account", login)].map { #""\#($0)": { "baseURL": "\#($1.url)" }"# }
        try root.folder.write(#"{ "set": { \#(settings.joined(separator: ", ")) } }"#, to: "root/host.json")
        let files = FileManager.default
        try files.createDirectory(atPath: "\(root.path)/.build", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: "\(root.path)/.build/debug", withDestinationPath: Products.folder)
        // README puts the host on the path; the articles expect it there.
        let system = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        path = document.path == Document.readme.path ? system : "\(Products.folder):\(system)"
        // Modules.md writes the module Hello, which other articles continue with.
        if !blocks.contains(where: { SharedFile(of: $0)?.name == "Hello.swift" }) {
            try files.createDirectory(atPath: "\(root.path)/Hello", withIntermediateDirectories: true)
            for file in [SharedFile.source, .manifest] {
                try root.folder.write(try file.text, to: "root/Hello/\(file.name)")
            }
        }
        initialFiles = try Self.files(in: root)
    }

    /// Returns the files in the root and in `Plugins` that the commands have created and not removed.
    func newFiles() throws -> Set<String> { try Self.files(in: root).subtracting(initialFiles) }

    private static func files(in root: ScratchRoot) throws -> Set<String> {
        let files = FileManager.default
        return Set(
            try ["", "Plugins/"].flatMap { folder in
                try files.contentsOfDirectory(atPath: "\(root.path)/\(folder)").map { folder + $0 }
            })
    }

    /// Executes the blocks. Each file and each output must match the document.
    mutating func run() async throws {
        for block in blocks {
            switch block.language {
            case "swift", "json": try keep(block)
            case "sh": #expect(try await shell("set -e\n" + block.text) == "")
            case "console", "console numbers":
                for step in block.steps {
                    try await run(step, hasNumbers: block.language.hasSuffix(" numbers"))
                }
            case "mermaid", "text": break
            default: Issue.record("\(document.name) has a block of the unknown language \"\(block.language)\"")
            }
        }
    }

    /// Writes a file that the document shows to the root. The file must be equal to the copy in the tests, which is
    /// compiled and run.
    private func keep(_ block: Document.Block) throws {
        guard let file = SharedFile(of: block) else { return }
        #expect(try file.text == block.text, "\(file.name) differs between \(document.name) and the tests")
        try root.folder.write(block.text, to: "root/\(file.name)")
    }

    private mutating func run(_ step: Document.Step, hasNumbers: Bool) async throws {
        if step.command.hasPrefix("swift test --package-path ") { return try await test(step.command) }
        if step.command.hasPrefix("host build todo-list"), !Self.usesPackageManager { try makeFolderModule() }
        // RunTests and `.ci/run` run these in the checkout.
        if step.command.hasPrefix("swift ") { return }
        if step.command.hasPrefix("export ") { exports.append(step.command) }
        var shown = try await shown(by: step)
        // These blocks show numbers that differ between runs.
        if hasNumbers, Self.withoutNumbers(shown) == Self.withoutNumbers(step.output) { shown = step.output }
        #expect(shown == step.output, "\(document.name): \(step.command)")
    }

    /// True if SwiftPM builds the generated package, as in `.ci/run`. It compiles ViperKit again for the package and for
    /// its tests, which takes a minute.
    private static var usesPackageManager: Bool { ProcessInfo.processInfo.environment["VIPER_WHOLE_README"] != nil }

    /// Turns the generated package into a folder with sources, manifest and resources, which `host build` compiles
    /// without SwiftPM.
    private func makeFolderModule() throws {
        let (files, package) = (FileManager.default, "\(root.path)/todo-list")
        guard files.fileExists(atPath: "\(package)/Package.swift") else { return }
        try files.removeItem(atPath: "\(package)/Package.swift")
        for folder in ["Sources/TodoList", "Manifests"] {
            for file in try files.contentsOfDirectory(atPath: "\(package)/\(folder)") {
                try files.moveItem(atPath: "\(package)/\(folder)/\(file)", toPath: "\(package)/\(file)")
            }
        }
        for folder in ["Sources", "Manifests", "Tests"] { try files.removeItem(atPath: "\(package)/\(folder)") }
    }

    /// Runs the tests of the generated package with SwiftPM. NewTests runs the same tests without SwiftPM.
    private func test(_ command: String) async throws {
        guard Self.usesPackageManager else { return }
        #expect(try await shell("\(command) && echo all passed").hasSuffix("\nall passed\n"))
    }

    private func shown(by step: Document.Step) async throws -> String {
        guard step.output.hasSuffix("\n^C\n") else { return try await shell(step.command) }
        // The command runs until somebody types Ctrl-C.
        let words = step.command.split(separator: " ").map(String.init)
        let session = try root.terminal(environment: environment) { child in
            (child.arguments, child.workingFolder) = (Array(words.dropFirst()), root.path)
        }
        let awaited = step.output.dropLast("^C\n".count).replacing("\n", with: "\r\n")
        let shown = try await session.wait(for: String(awaited))
        try session.type("\u{3}")
        let (ending, rest) = try await session.end()
        #expect(ending == .code(130))
        return shown + rest + "\n"
    }

    private var environment: [String: String] {
        [
            "PATH": path, "TMPDIR": root.temporary, "NO_COLOR": "1",
            "XDG_STATE_HOME": "\(root.folder.path)/state",
        ]
    }

    /// Returns the output of commands, with another program in place of `host`.
    ///
    /// - Parameter script: The text of the program.
    func output(of commands: [String], host script: String) async throws -> String {
        let folder = try ScratchFolder()
        let program = try folder.write(script, to: "host")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        var output = ""
        for command in commands { output += try await shell("PATH=\(folder.path):$PATH\n\(command)") }
        return output
    }

    /// Returns the output of a command as a terminal shows it: standard output and standard error together.
    private func shell(_ command: String) async throws -> String {
        // Another program may use the port.
        let lines = exports + ["{ \(command.replacing("127.0.0.1:8080", with: "127.0.0.1:0"))\n} 2>&1"]
        var child = ChildProcess("bash", ["-c", lines.joined(separator: "\n")], environment: environment)
        child.workingFolder = root.path
        return try await child.run().text
    }

    private static func withoutNumbers(_ text: String) -> String {
        text.replacing(/[0-9]+/, with: "0").replacing(/\ +/, with: " ")
    }
}

/// A file that a document shows and that the tests of ViperTesting compile and run.
private struct SharedFile {
    static let source = SharedFile(name: "Hello.swift", folder: "Hello")
    static let tests = SharedFile(name: "HelloTests.swift", folder: "Hello")
    static let manifest = SharedFile(name: "hello.json", folder: "Hello/Manifests")

    var name: String
    private var folder: String

    private init(name: String, folder: String) { (self.name, self.folder) = (name, folder) }

    /// The file that a block shows, or nil if the block is only an example.
    init?(of block: Document.Block) {
        switch block.language {
        case "swift" where block.text.contains("viper_entry_v1_Hello"): self = .source
        case "swift" where block.text.contains("struct HelloTests"): self = .tests
        case "json" where block.text.contains(#""library""#): self = .manifest
        default: return nil
        }
    }

    var text: String {
        get throws {
            try String(
                contentsOfFile: "\(Products.repository)/Tests/ViperTestingTests/\(folder)/\(name)", encoding: .utf8)
        }
    }
}

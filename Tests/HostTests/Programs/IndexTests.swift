import Foundation
import HostDriver
import TestSupport
import Testing

/// The index of a root with many modules, as the host program uses it.
@Suite(.fewAtOnce, .hangLimit)
struct IndexTests {
    private static let count = 60
    private let root: ScratchRoot

    /// Creates a root with more modules than the host reads without an index.
    init() async throws {
        root = try ScratchRoot()
        // A small library, because a debug build takes a second or two to check many large ones.
        let library = try await ModuleFixture("Small", ModuleFixture.minimal("viper_entry_v1_Small")).compiled()
        for number in 0..<Self.count {
            try root.add(ManifestText("m\(number)", library: "libM\(number).so", routes: ["r\(number)"]))
            try root.copy(library, to: "libM\(number).so")
        }
    }

    private func path(_ library: Int) -> String { "\(root.path)/Plugins/libM\(library).so" }

    /// Runs a command and returns its output and the names of the manifests and libraries that it opened.
    private func run(_ words: String...) async throws -> (output: String, files: [String]) {
        let log = root.folder.path + "/calls"
        let result = try await root.host(words, under: ["strace", "-f", "-qq", "-o", log, "-e", "trace=openat"])
        let calls = try String(contentsOfFile: log, encoding: .utf8)
        return (result.text, calls.matches(of: /"[^"]*?(m\d+\.json|libM\d+\.so)"/).map { String($0.1) })
    }

    @Test(
        "A listing opens no library, and no manifest that has not changed",
        .needs(.strace))
    func calls() async throws {
        let first = try await run("routes")
        #expect(Set(first.files) == Set((0..<Self.count).map { "m\($0).json" }))
        // Files that have changed within two seconds are not indexed.
        let isIndexed = try await eventually { try await run("routes").files.isEmpty }
        #expect(isIndexed)
        #expect(try await run("routes").output == first.output)
        // The module knows no such route, but the host must load it to find that out.
        #expect(Set(try await run("run", "r7").files) == ["libM7.so"])
        // Changes are found, and the other files stay closed.
        try root.add(ManifestText("m8", library: "libM8.so", routes: ["new"]))
        try FileManager.default.removeItem(atPath: path(9))
        try root.copy("\(Products.folder)/libPeople.so", to: "libM9.so")
        let changed = try await run("routes")
        #expect(Set(changed.files) == ["m8.json"])
        #expect(changed.output.contains("new "))
    }

    /// Runs a command until no file is read that could be in the index.
    private func untilIndexed(_ words: String...) async throws -> Bool {
        try await eventually {
            let child = ChildProcess(
                Products.host, words + ["--verbose", "--root", root.path],
                environment: root.environment)
            let (before, result) = (try? index(), try await child.run())
            return try result.errors.contains("read 0 manifests that are not in the index") && before == index()
        }
    }

    /// Returns the content of the index. Throws an error if there is none, as while the first host writes it.
    private func index() throws -> Data {
        let folder = root.cache + "/viper-host"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".index") }
        return try Data(contentsOf: URL(filePath: "\(folder)/\(names.joined(separator: " and "))"))
    }

    @Test(
        "A serving host opens only the files that have changed",
        .needs(.strace))
    func served() async throws {
        let log = root.folder.path + "/calls"
        let host = try await ServingHost(root, "--verbose", environment: root.environment) { child in
            let words = ["-D", "-f", "-qq", "-o", log, "-e", "trace=openat", child.program]
            (child.program, child.arguments) = ("strace", words + child.arguments)
        }
        var opened: Set<String> = []
        // A file is indexed when it has been unchanged for two seconds, so the first changes open all files.
        for number in (0...10).reversed() {
            let before = try String(contentsOfFile: log, encoding: .utf8).count
            let staged = root.folder.path + "/staged"
            try copyFile("\(Products.folder)/libPeople.so", to: staged)
            #expect(rename(staged, path(number)) == 0)
            let isTaken = await eventually { host.log.contains("m\(number) 1.0.0 is refused") }
            #expect(isTaken, "\(host.log)")
            let calls = try String(contentsOfFile: log, encoding: .utf8).dropFirst(before)
            opened = Set(calls.matches(of: /(m\d+\.json|libM\d+\.so)/).map { String($0.1) })
            #expect(opened.contains("libM\(number).so"))
            // The library before this one may still be too new for the index.
            if opened.count <= 4 { return }
        }
        Issue.record("all files are opened after each change: \(opened.count)")
    }

    @Test("Several hosts that start at the same time list the same routes and leave one index")
    func atOnce() async throws {
        let blocked = try root.folder.write("", to: "blocked")
        let expected = try await root.host("routes", environment: ["XDG_CACHE_HOME": blocked])
        #expect(expected.ending == .code(0), "\(expected)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let isIndexed = try await untilIndexed("routes")
                    #expect(isIndexed)
                    let text = try await root.host("routes").text
                    #expect(text == expected.text)
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.cache + "/viper-host").count == 1)
    }

    @Test("A library that no longer passes the checks is refused although its manifest is indexed")
    func refused() async throws {
        let isIndexed = try await untilIndexed("modules")
        #expect(isIndexed)
        try FileManager.default.removeItem(atPath: path(3))
        try FileManager.default.removeItem(atPath: path(4))
        try root.add(library: Data("no library".utf8), as: "libM4.so")
        let result = try await root.host("modules")
        #expect(result.text.contains(/m3 .*refused/) && result.text.contains(/m4 .*refused/), "\(result)")
        #expect(result.text.contains("libM3.so") && result.text.contains("it does not exist"), "\(result)")
    }

    @Test("An index that cannot be written completely costs only time, and leaves no file")
    func unwritable() async throws {
        let isIndexed = try await untilIndexed("routes")
        #expect(isIndexed)
        let folder = root.cache + "/viper-host"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let script = "set -o pipefail; ulimit -f 1; \"$0\" routes --root \"$1\" | grep 'r59 '"
        let words = ["-c", script, Products.host, root.path]
        let result = try await ChildProcess(
            "bash", words, environment: root.environment
        ).run()
        #expect(result.ending == .code(0) && result.text.contains("r59 "), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}

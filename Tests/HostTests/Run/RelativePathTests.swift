import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct RelativePathTests {
    private let root: ScratchRoot

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("people")
    }

    /// Runs the host in the folder that contains the root.
    private func host(_ words: String..., environment: [String: String] = [:]) async throws -> ChildResult {
        try await root.host(words[0], environment: environment) { child in
            child.arguments.insert(contentsOf: words.dropFirst(), at: 1)
            child.workingFolder = root.folder.path
        }
    }

    @Test("An isolated module stores its state in a relative --state of the caller's folder")
    func state() async throws {
        let added = try await host(
            "run", "people/add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add", "--state", "rel",
            "--isolate", "people")
        #expect(added.text == "Add a person\n✓ Added Ada - 36\n(closed)\n", "\(added)")
        let file = try String(contentsOfFile: "\(root.folder.path)/rel/data/people.json", encoding: .utf8)
        #expect(file.contains("\"Ada\""))
        for isolation in [[], ["--isolate", "people"]] {
            let listed = try await root.host("run", "people", "--state", "rel") { child in
                child.arguments += isolation
                child.workingFolder = root.folder.path
            }
            #expect(listed.text == "People\n  Ada - 36\n  [add] Add a person\n", "\(listed)")
        }
    }

    @Test("A relative path is refused if the working folder was removed")
    func removedFolder() async throws {
        let folder = "\(root.folder.path)/gone"
        let script = "mkdir \(folder) && cd \(folder) && rmdir \(folder) && exec \"$@\""
        let words = [Products.host, "run", "people/add", "--root", root.path, "--state", "rel", "--isolate", "people"]
        let result = try await ChildProcess("sh", ["-c", script, "sh"] + words).run()
        #expect(
            result.ending == .code(66) && result.text == ""
                && result.errors.hasPrefix("host: cannot use path \"rel\": the working folder was removed\n"),
            "\(result)")
    }

    @Test("An isolated module reads its files from a relative --data")
    func data() async throws {
        try root.folder.write("[]", to: "files/company.json")
        let isolated = try await host("run", "list", "--data", "files", "--isolate", "company-list")
        let plain = try await host("run", "list", "--data", "files")
        #expect(isolated.ending == .code(0) && isolated.text == plain.text, "\(isolated)")
        #expect(!plain.text.contains("Bertha"))
    }

    @Test("An isolated module works with a relative TMPDIR, and leaves nothing there")
    func temporary() async throws {
        // The host would also find a bundled library beside the executable.
        try await root.add(.faulty, .faulty("fine"))
        let result = try await host("run", "fine", "--isolate", "faulty", environment: ["TMPDIR": "tmp"])
        #expect(result.ending == .code(0) && result.text == "fine\n  [press] Press\n", "\(result)")
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A host removes its files even if a module has changed the working folder")
    func movedAway() async throws {
        try await root.add(.faulty, .faulty("away"))
        let script = """
            "$1" serve --root root --socket socket 2> log & process=$!
            until grep -q 'serving on socket' log; do sleep 0.01; done
            "$1" run away --via socket
            kill $process
            wait $process
            """
        let environment = ["TMPDIR": "tmp", "XDG_RUNTIME_DIR": root.folder.path + "/run"]
        var shell = ChildProcess("sh", ["-c", script, "sh", root.executable], environment: environment)
        shell.workingFolder = root.folder.path
        let result = try await shell.run()
        #expect(result.ending == .code(0) && result.text == "away\n  [press] Press\n", "\(result)")
        #expect(try root.temporaryFolders() == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: root.folder.path)
        #expect(left.sorted() == ["log", "root", "run", "tmp"])
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// The program of the article `Embedding.md`: a host inside another program.
@Suite(.fewAtOnce, .hangLimit)
struct EmbeddingTests {
    private let root: ScratchRoot
    private let folder: ScratchFolder

    init() throws { (root, folder) = (try ScratchRoot(), try ScratchFolder()) }

    /// Returns the article's blocks of Swift: the package's manifest and the program.
    private static func article() throws -> (manifest: String, program: String) {
        let blocks = try Document(path: Document.catalogue + "/Embedding.md").blocks.filter { $0.language == "swift" }
        try #require(blocks.count == 2)
        return (blocks[0].text, blocks[1].text)
    }

    /// Installs the first version of a module with the route `list`, and returns the path of a second one.
    private func install() async throws -> String {
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        let manifest = ManifestText("company-list", library: "libCompanyList.so", routes: ["list"])
        try await root.add(.version("1", routes: ["list"]), manifest)
        let update = root.folder.path + "/update.so"
        try copyFile(await ModuleFixture.version("2", routes: ["list"]).compiled(), to: update)
        return update
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> ChildResult {
        let state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
        return try await ChildProcess(program, arguments, environment: root.environment.merging(state) { $1 }).run()
    }

    @Test("The program shows a route, and no open fails while the module is replaced")
    func program() async throws {
        let (manifest, source) = try Self.article()
        let isWhole = ProcessInfo.processInfo.environment["VIPER_WHOLE_README"] != nil
        let program =
            isWhole
            ? try await EmbeddingProgram(source).built(in: folder, manifest: manifest, name: "kiosk")
            : try await EmbeddingProgram(source).compiled(in: folder)
        let update = try await install()
        let result = try await run(program, [root.path, Products.host, update])
        #expect(result.ending == .code(0), "\(result)")
        let screens = result.text.split(separator: "\n").filter { !$0.hasPrefix("log: ") && !$0.contains("[go]") }
        #expect(screens == ["1", "2", "1"], "\(result)")
        #expect(result.text.contains("log: host: info: company-list 1.0.0 was replaced"), "\(result)")
        // The host removes its temporary files.
        #expect(try root.temporaryFolders() == [])
    }

    @Test("A root or a program that cannot be used is an error")
    func unusable() async throws {
        let (_, source) = try Self.article()
        let program = try await EmbeddingProgram(source).compiled(in: folder)
        let noRoot = try await run(program, [folder.path, Products.host, ""])
        #expect(noRoot.errors.contains("cannot use root \"\(folder.path)\": it has no folder Manifests"), "\(noRoot)")
        let noProgram = try await run(program, [root.path, folder.path + "/none", ""])
        #expect(
            noProgram.errors.contains("cannot run \"\(folder.path)/none\": No such file or directory"), "\(noProgram)")
        let another = try await run(program, [root.path, "/bin/true", ""])
        #expect(
            another.errors.contains("cannot use program \"/bin/true\": it is not the program host with"), "\(another)")
    }

    @Test("Only what a program with a host inside needs is public in the host's layers")
    func surface() throws {
        var declarations: [String] = []
        for layer in EmbeddingProgram.layers {
            let path = "\(Products.repository)/Sources/\(layer)"
            for file in try FileManager.default.subpathsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                for match in text.matches(of: /(?m)^ *(?:@\w+ )*(?:public|open) (?!import)(.*?)(?:[:({]|$)/) {
                    declarations.append(match.1.trimmingCharacters(in: .whitespaces))
                }
            }
        }
        #expect(
            declarations.sorted() == [
                "final class ViperHost", "func rescan", "func shutDown", "static func start", "static func text",
                "var moduleRegistry", "var windows",
            ])
    }
}

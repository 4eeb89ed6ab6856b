import HostDriver
import TestSupport
import Testing

/// The commands of README and the articles, executed from top to bottom as a reader would.
@Suite(.fewAtOnce)
struct ReadmeTests {
    /// README, and each article with commands. Each document is a separate tutorial.
    private static let tutorials =
        [Document.readme]
        + Document.articles.filter { (try? $0.blocks)?.contains { $0.language.hasPrefix("console") } == true }

    @Test("what a document writes compiles, and what it shows is what happens", .long, arguments: tutorials)
    func walkthrough(document: Document) async throws {
        var tutorial = try await Tutorial(document)
        try await tutorial.run()
        guard document.path == Document.readme.path else { return }
        // The host that README stops still has to remove its socket.
        _ = try await eventually { try !tutorial.newFiles().contains("site.sock") }
        let left = try tutorial.newFiles()
        #expect(left == [])
    }

    @Test("the documents whose commands are executed")
    func documents() {
        let names = [
            "README.md", "Browser.md", "ErrorCodes.md", "Installing.md", "Modules.md", "Serving.md",
            "SharedServices.md",
            "Using.md",
        ]
        #expect(Self.tutorials.map(\.name) == names)
    }

    @Test("README has fewer than 200 lines, and begins with the project's two commands")
    func readme() throws {
        #expect(try Document.readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
        // `.ci/run` takes both from there.
        let steps = try Document.readme.blocks.prefix(2).flatMap(\.steps)
        #expect(steps.map(\.command) == ["swift build && swift run host run list", "swift test"])
        #expect(steps.map(\.output) == [RunTests.list, ""])
    }
}

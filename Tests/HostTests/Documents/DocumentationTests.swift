import Foundation
import HostDriver
import TestSupport
import Testing

/// The DocC catalogue of ViperKit. It builds without warnings, its code compiles, and every link has a target.
/// ReadmeTests execute its commands.
@Suite(.fewAtOnce, .hangLimit)
struct DocumentationTests {
    @Test("every article is linked from README and from the documentation's root page")
    func isLinked() throws {
        #expect(Document.articles.count >= 8)
        let (readme, root) = (try Document.readme.text, try Document.root.text)
        for article in Document.articles where article.path != Document.root.path {
            let page = article.name.dropLast(".md".count)
            #expect(readme.contains("](\(article.path))"), "README does not link \(page)")
            #expect(root.contains("](\(article.name))"), "the overview of the root page does not link \(page)")
            #expect(root.contains("- <doc:\(page)>"), "the topics of the root page do not link \(page)")
        }
    }

    @Test(
        "every relative link leads to a file, and to a heading in it",
        arguments: [Document.readme, .contributing] + Document.articles)
    func links(document: Document) throws {
        for link in try document.prose.matches(of: /\]\(([^)#]*)(?:#([^)]*))?\)/) {
            let (target, heading) = (String(link.output.1), link.output.2.map(String.init))
            if target.contains(":") { continue }
            let path = target.isEmpty ? document.file : "\(Products.repository)/\(document.folder)/\(target)"
            #expect(FileManager.default.fileExists(atPath: path), "\(document.name) links \(target)")
            if let heading {
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(Self.anchors(in: text).contains(heading), "\(document.name) links \(target)#\(heading)")
            }
        }
    }

    /// Returns the anchors of a Markdown text's headings, as the repository's web page forms them.
    private static func anchors(in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("## ") || $0.hasPrefix("### ") }.map { line in
            line.drop { "# ".contains($0) }.lowercased().replacing(" ", with: "-")
                .filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
        }
    }

    @Test("The article on errors has a row for each code of ViperKit with its kind")
    func codes() throws {
        let rows = try Document(path: Document.catalogue + "/ErrorCodes.md").text
            .matches(of: /\| `([a-z-]+)` +\| `([a-z]+)` +\|/).map { "\($0.1) \($0.2)" }
        let source = "\(Products.repository)/Sources/ViperKit/Errors/ViperError+Code.swift"
        let codes = try String(contentsOfFile: source, encoding: .utf8)
            .matches(of: /public static var \w+: Self { Self\("([a-z-]+)", \.([a-z]+)\) }/).map { "\($0.1) \($0.2)" }
        #expect(!codes.isEmpty && rows == codes)
    }

    @Test("docc builds the catalogue without warnings, with a page for each article")
    func builds() async throws {
        let scratch = try ScratchFolder()
        let graphs = scratch.path + "/graphs"
        try FileManager.default.createDirectory(atPath: graphs, withIntermediateDirectories: true)
        try await extractSymbols(of: "ViperKit", to: graphs)
        let converted = try await ChildProcess(
            "docc",
            [
                "convert", "\(Products.repository)/\(Document.catalogue)", "--additional-symbol-graph-dir", graphs,
                "--warnings-as-errors",
            ]
                + ["--fallback-display-name", "ViperKit", "--fallback-bundle-identifier", "viper-host.ViperKit"]
                + ["--output-path", scratch.path + "/ViperKit.doccarchive"]
        ).run()
        #expect(converted.ending == .code(0), "\(converted)")
        let pages = scratch.path + "/ViperKit.doccarchive/data/documentation/viperkit"
        for page in Document.articles.map({ $0.name.dropLast(".md".count).lowercased() }) + ["screen", "module"]
        where page != "viperkit" {
            #expect(FileManager.default.fileExists(atPath: "\(pages)/\(page).json"), "\(page)")
        }
    }

    @Test("The Swift code of each article compiles without warnings", arguments: Document.articles)
    func compiles(article: Document) async throws {
        // A package's manifest is compiled by SwiftPM; see EmbeddingTests.
        let swift = try article.blocks.filter {
            $0.language == "swift" && !$0.text.contains("import PackageDescription")
        }
        if swift.isEmpty { return }
        let scratch = try ScratchFolder()
        try scratch.write(swift.map(\.text).joined(separator: "\n"), to: "Article.swift")
        let child = ChildProcess(
            "swiftc",
            [
                "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-module-name",
                "Article",
            ]
                + ["-enable-upcoming-feature", "ExistentialAny", "-I", "\(Products.folder)/Modules"]
                + ["-I", "\(Products.repository)/Sources/CSystem"]
                + ["-plugin-path", try await Self.testingPlugins(), scratch.path + "/Article.swift"])
        let result = try await child.run()
        #expect(result.ending == .code(0), "\(article.name): \(result)")
    }

    @Test("every block of an article is of a kind that a test checks", arguments: Document.articles)
    func kinds(article: Document) throws {
        let languages = try article.blocks.map(\.language)
        // Modules.md alone shows files that its commands use. The tests of the module compare the pictures in Terminal.md, and
        // CodeTests the errors in ErrorCodes.md.
        let others = ["ErrorCodes.md": ["text"], "Modules.md": ["json", "sh"], "Terminal.md": ["text"]]
        let executed = ["console", "console numbers"] + others[article.name, default: []]
        #expect(Set(languages).subtracting(executed + ["swift", "mermaid"]).isEmpty, "\(languages)")
    }

    /// Returns the folder of Swift Testing's macros, which SwiftPM passes to the compiler.
    private static func testingPlugins() async throws -> String {
        let info = try await ChildProcess("swiftc", ["-print-target-info"]).run()
        struct Info: Decodable {
            struct Paths: Decodable { var runtimeResourcePath: String }
            var paths: Paths
        }
        let path = try JSONDecoder().decode(Info.self, from: info.output).paths.runtimeResourcePath
        return "\(path)/host/plugins/testing"
    }
}

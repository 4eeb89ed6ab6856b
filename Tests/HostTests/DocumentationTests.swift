import Foundation
import TestSupport
import Testing

/// The DocC catalogue of ViperKit: it builds without warnings, its Swift code compiles, and README has its other
/// examples, which are run there.
@Suite(.fewAtOnce, .hangLimit)
struct DocumentationTests {
    private static let catalogue = "\(Products.repository)/Sources/ViperKit/Documentation.docc"
    private static let articles =
        ((try? FileManager.default.contentsOfDirectory(atPath: catalogue)) ?? []).filter { $0.hasSuffix(".md") }
        .sorted()

    @Test("The catalogue has at least eight articles")
    func isThere() {
        #expect(Self.articles.count >= 8)
    }

    @Test("docc builds the catalogue without warnings, with a page for each article")
    func builds() async throws {
        let scratch = try ScratchFolder()
        let graphs = scratch.path + "/graphs"
        try FileManager.default.createDirectory(atPath: graphs, withIntermediateDirectories: true)
        #if arch(arm64)
        let target = "aarch64-unknown-linux-gnu"
        #else
        let target = "x86_64-unknown-linux-gnu"
        #endif
        let extracted = try await ChildProcess(
            "swift-symbolgraph-extract",
            ["-module-name", "ViperKit", "-I", "\(Products.folder)/Modules", "-output-dir", graphs, "-target", target]
                + ["-minimum-access-level", "public", "-skip-synthesized-members"]
        ).run()
        #expect(extracted.ending == .code(0), "\(extracted)")
        let converted = try await ChildProcess(
            "docc",
            ["convert", Self.catalogue, "--additional-symbol-graph-dir", graphs, "--warnings-as-errors"]
                + ["--fallback-display-name", "ViperKit", "--fallback-bundle-identifier", "viper-host.ViperKit"]
                + ["--output-path", scratch.path + "/ViperKit.doccarchive"]
        ).run()
        #expect(converted.ending == .code(0), "\(converted)")
        let pages = scratch.path + "/ViperKit.doccarchive/data/documentation/viperkit"
        for page in Self.articles.map({ $0.dropLast(".md".count).lowercased() }) + ["screen", "module"]
        where page != "viperkit" {
            #expect(FileManager.default.fileExists(atPath: "\(pages)/\(page).json"), "\(page)")
        }
    }

    @Test("The Swift code of each article compiles without warnings", arguments: articles)
    func compiles(article: String) async throws {
        let swift = try Document.blocks(of: "\(Self.catalogue)/\(article)").filter { $0.language == "swift" }
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
                + ["-I", "\(Products.repository)/Sources/CSystem", "-module-cache-path", Products.moduleCache]
                + ["-plugin-path", try await Self.testingPlugins(), scratch.path + "/Article.swift"])
        let result = try await child.run()
        #expect(result.ending == .code(0), "\(article): \(result)")
    }

    @Test("Commands and manifests in an article are also in README", arguments: articles)
    func shown(article: String) throws {
        let readme = try Document.blocks(of: "\(Products.repository)/README.md").map(\.text).joined()
        for block in try Document.blocks(of: "\(Self.catalogue)/\(article)") where block.language != "swift" {
            #expect(["console", "json", "sh"].contains(block.language))
            for part in block.text.components(separatedBy: "\n\n") {
                #expect(readme.contains(part.trimmingCharacters(in: .newlines)), "\(article): \(part)")
            }
        }
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

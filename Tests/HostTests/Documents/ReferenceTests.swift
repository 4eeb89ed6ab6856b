import Foundation
import HostDriver
import TestSupport
import Testing

/// The file `Reference.md`, for authors who read the documentation without DocC.
@Suite(.fewAtOnce, .hangLimit)
struct ReferenceTests {
    private static let introduction = """
        # Reference of ViperKit and ViperTesting

        The public declarations with their doc comments, for reading without DocC.

        ## Overview

        A module imports ViperKit. Its tests also import ViperTesting. The articles describe how the parts work together;
        see the [list of all articles](ViperKit.md).

        This file is generated from the sources. `VIPER_RECORD=1 swift test --filter ReferenceTests` writes it.

        """

    @Test("Reference.md has the public declarations and comments of the sources")
    func isCurrent() async throws {
        let graphs = try ScratchFolder()
        var text = Self.introduction
        for module in ["ViperKit", "ViperTesting"] {
            try await extractSymbols(of: module, to: graphs.path)
            let file = try Data(contentsOf: URL(filePath: "\(graphs.path)/\(module).symbols.json"))
            text += Reference.text(of: try JSONDecoder().decode(Reference.Graph.self, from: file))
        }
        let document = Document(path: Document.catalogue + "/Reference.md")
        if ProcessInfo.processInfo.environment["VIPER_RECORD"] == "1" {
            try text.write(toFile: document.file, atomically: true, encoding: .utf8)
            Issue.record("recorded \(document.file); run the tests without VIPER_RECORD")
        }
        let recorded = (try? document.text) ?? ""
        let difference = text.split(separator: "\n").difference(from: recorded.split(separator: "\n"))
        #expect(recorded == text, "Reference.md differs, record it with VIPER_RECORD=1: \(difference)")
    }
}

/// Writes the symbol graph of a module's public declarations to a folder.
func extractSymbols(of module: String, to folder: String) async throws {
    #if arch(arm64)
    let target = "aarch64-unknown-linux-gnu"
    #else
    let target = "x86_64-unknown-linux-gnu"
    #endif
    let extracted = try await ChildProcess(
        "swift-symbolgraph-extract",
        ["-module-name", module, "-I", "\(Products.folder)/Modules", "-I", "\(Products.repository)/Sources/CSystem"]
            + ["-output-dir", folder, "-target", target, "-module-cache-path", Products.moduleCache]
            + ["-minimum-access-level", "public", "-skip-synthesized-members"]
    ).run()
    try #require(extracted.ending == .code(0), "\(extracted)")
}

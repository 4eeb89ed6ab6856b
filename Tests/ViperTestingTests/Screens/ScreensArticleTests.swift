import Foundation
import HostDriver
import TestSupport
import Testing
import ViperTesting

@Suite(.fewAtOnce)
struct ScreensArticleTests {
    @Test("The article on screens shows the source of a screen with most parts, and its text")
    func sample() throws {
        expectSnapshot(sampleScreen(), "sample")
        let folder = "\(Products.repository)/Tests/ViperTestingTests/Screens"
        func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        let article = try text("\(Products.repository)/Sources/ViperKit/Documentation.docc/Screens.md")
        #expect(article.contains("```swift\n\(try text("\(folder)/SampleScreen.swift"))```\n"))
        let shown = try text("\(folder)/Snapshots/sample.txt").split(separator: "\n").map { "    \($0)\n" }.joined()
        #expect(article.contains("\n\n\(shown)\n"), "\(shown)")
    }
}

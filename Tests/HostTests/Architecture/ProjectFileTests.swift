import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

/// The files at the top level that tools read agree with each other.
struct ProjectFileTests {
    private static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(Products.repository)/\(file)", encoding: .utf8)
    }

    @Test(".editorconfig has the numbers of .swift-format")
    func editorconfig() throws {
        struct Format: Decodable {
            struct Indentation: Decodable { var spaces: Int }
            var lineLength: Int
            var tabWidth: Int
            var indentation: Indentation
        }
        let format = try JSONDecoder().decode(Format.self, from: Data(Self.text(".swift-format").utf8))
        let sections = try Self.text(".editorconfig").components(separatedBy: "\n[")
        let swift = try #require(sections.first { $0.hasPrefix("*.swift]") }).split(separator: "\n")
        #expect(swift.contains("max_line_length = \(format.lineLength)"))
        #expect(swift.contains("indent_size = \(format.indentation.spaces)"))
        #expect(swift.contains("tab_width = \(format.tabWidth)"))
    }

    @Test(".swift-version and the workflow name the same Swift, of the version that ViperKit is built with")
    func version() throws {
        let version = try Self.text(".swift-version").trimmingCharacters(in: .newlines)
        #expect(version.hasPrefix(ViperKit.Compiler.version + "."))
        let workflow = try Self.text(".github/workflows/ci.yml")
        #expect(workflow.contains("container: swift:\(version)-"))
        #expect(workflow.contains("- run: .ci/run\n"))
    }
}

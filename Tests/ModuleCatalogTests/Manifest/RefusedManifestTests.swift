import Foundation
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

/// Invalid manifests, each refused with an exact position, its path and a fix.
///
/// `expected.txt` in each folder has one line for each file: name, line:column, path, cause and fix, separated by `|`.
/// A part that the error does not have is `-`.
struct RefusedManifestTests {
    struct Expectation: CustomTestStringConvertible {
        var name, place, path, cause, fix: String
        var testDescription: String { name }
    }

    static func expectations(_ kind: String) throws -> [Expectation] {
        let text = try String(contentsOfFile: "\(ManifestFiles.folder)/\(kind)/expected.txt", encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(parts.count == 5, "a line in \(kind)/expected.txt has not five parts: \(line)")
            return Expectation(
                name: parts[0], place: parts[1], path: parts[2], cause: parts[3], fix: parts[4])
        }
    }

    @Test("Each invalid manifest has an expectation", arguments: ["bad", "beyond-schema"])
    func complete(kind: String) throws {
        #expect(try Self.expectations(kind).map(\.name).sorted() == ManifestFiles.names(kind))
    }

    @Test(
        "A manifest that breaks a rule of the schema is refused with the expected error",
        arguments: try expectations("bad"))
    func bad(expected: Expectation) throws { try check(expected, "bad") }

    @Test(
        "A manifest that breaks a rule beyond the schema is refused with the expected error",
        arguments: try expectations("beyond-schema"))
    func beyondSchema(expected: Expectation) throws { try check(expected, "beyond-schema") }

    private func check(_ expected: Expectation, _ kind: String) throws {
        let error = try #require(ManifestFiles.entry(kind, expected.name).manifest.failure)
        #expect(error.code == .manifestInvalid)
        #expect(error.operation == "cannot use manifest")
        #expect(error.subject == "\(expected.name).json:\(expected.place)")
        #expect(error.cause == expected.cause)
        #expect(error.notes == (expected.path == "-" ? [] : [.init("at", expected.path)]))
        #expect(error.fix == (expected.fix == "-" ? nil : expected.fix))
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

@Suite(.fewAtOnce)
struct ManifestLimitsTests {
    /// A part of a manifest that has a limit.
    struct Part: CustomTestStringConvertible {
        var testDescription: String
        var limit: Int
        /// The path in the error.
        var path: String
        var cause: String
        var fix: String
        /// The manifest's members, for a number of elements or characters.
        var members: @Sendable (Int) -> String

        func text(_ count: Int) -> String {
            "{\"name\": \"m\", \"version\": \"1.0.0\", \"library\": \"libM.so\", \"sdk\": \"1.0\", \(members(count))}"
        }
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[\((0..<count).map(element).joined(separator: ", "))]"
    }

    private static func parameters(_ count: Int) -> String {
        list(count) { "{\"name\": \"p\($0)\", \"type\": \"string\", \"summary\": \"One\"}" }
    }

    private static func services(_ key: String) -> Part {
        Part(
            testDescription: key, limit: 1000, path: "$.\(key)",
            cause: "it has 1001 services, more than the limit of 1000",
            fix: "declare at most 1000 services, or split the module"
        ) { "\"\(key)\": \(list($0) { "\"s\($0)\"" })" }
    }

    static let parts = [
        Part(
            testDescription: "routes", limit: 1000, path: "$.routes",
            cause: "it has 1001 routes, more than the limit of 1000",
            fix: "declare at most 1000 routes, or split the module"
        ) { "\"routes\": \(list($0) { "{\"name\": \"r\($0)\", \"summary\": \"One\"}" })" },
        Part(
            testDescription: "parameters", limit: 100, path: "$.routes[0].parameters",
            cause: "it has 101 parameters, more than the limit of 100",
            fix: "declare at most 100 parameters"
        ) { "\"routes\": [{\"name\": \"r\", \"summary\": \"One\", \"parameters\": \(parameters($0))}]" },
        services("requires"), services("optional"), services("provides"),
        Part(
            testDescription: "opens", limit: 1000, path: "$.opens",
            cause: "it has 1001 routes, more than the limit of 1000",
            fix: "declare at most 1000 routes, or split the module"
        ) { "\"opens\": \(list($0) { "\"r\($0)\"" })" },
        Part(
            testDescription: "contracts", limit: 100, path: "$.contracts",
            cause: "it has 101 contracts, more than the limit of 100",
            fix: "declare at most 100 contracts, or split the module"
        ) { count in
            let versions = (0..<count).map { "\"c\($0)\": \"1.0\"" }.joined(separator: ", ")
            return "\"contracts\": {\(versions)}"
        },
        Part(
            testDescription: "points", limit: 100, path: "$.contributes",
            cause: "it has 101 points, more than the limit of 100",
            fix: "declare at most 100 points, or split the module"
        ) { count in
            let points = (0..<count).map { "\"p\($0)\": []" }.joined(separator: ", ")
            return "\"contributes\": {\(points)}"
        },
        Part(
            testDescription: "contributions", limit: 1000, path: "$.contributes.menu",
            cause: "it has 1001 contributions, more than the limit of 1000",
            fix: "declare at most 1000 contributions, or split the module"
        ) { "\"contributes\": {\"menu\": \(list($0) { "\($0)" })}" },
        Part(
            testDescription: "config", limit: 100, path: "$.config",
            cause: "it has 101 keys, more than the limit of 100",
            fix: "declare at most 100 keys, or split the module"
        ) { "\"config\": \(parameters($0))" },
        Part(
            testDescription: "schema", limit: 4096, path: "$[\"$schema\"]",
            cause: "it has 4097 characters, more than the limit of 4096",
            fix: "write at most 4096 characters"
        ) { "\"$schema\": \"\(String(repeating: "ä", count: $0))\"" },
        Part(
            testDescription: "homepage", limit: 1024, path: "$.homepage",
            cause: "it has 1025 characters, more than the limit of 1024", fix: "write at most 1024 characters"
        ) { "\"homepage\": \"https://\(String(repeating: "a", count: $0 - 8))\"" },
        Part(
            testDescription: "default", limit: 4096, path: "$.config[0].default",
            cause: "it has 4097 characters, more than the limit of 4096",
            fix: "write at most 4096 characters"
        ) {
            "\"config\": [{\"name\": \"p\", \"type\": \"string\", \"summary\": \"One\", "
                + "\"default\": \"\(String(repeating: "ä", count: $0))\"}]"
        },
    ]

    @Test("A manifest at the limit is accepted", arguments: parts)
    func atLimit(part: Part) throws {
        #expect(throws: Never.self) { try Manifest(text: Data(part.text(part.limit).utf8), named: "m.json") }
    }

    @Test("A manifest over the limit is refused with the count, the limit and a fix", arguments: parts)
    func overLimit(part: Part) throws {
        let text = part.text(part.limit + 1)
        let error = try #require(throws: ViperError.self) { try Manifest(text: Data(text.utf8), named: "m.json") }
        #expect(error.code == .manifestInvalid && error.subject.hasPrefix("m.json:1:"), "\(error)")
        #expect(error.cause == part.cause && error.fix == part.fix, "\(error)")
        #expect(error.notes == [.init("at", part.path)])
    }

    @Test("The schema has the same limits")
    func schema() async throws {
        let folder = try ScratchFolder()
        let paths = try Self.parts.flatMap { part in
            try [("at", part.limit), ("over", part.limit + 1)].map { name, count in
                try folder.write(part.text(count), to: "\(part.testDescription)-\(name).json")
            }
        }
        let verdicts = try await SchemaJudge.verdicts(ManifestFiles.schema, on: paths)
        try #require(verdicts.count == paths.count)
        for part in Self.parts {
            #expect(verdicts["\(part.testDescription)-at"] == .some(nil), "the schema refuses \(part.testDescription)")
            #expect(
                verdicts["\(part.testDescription)-over"] != .some(nil), "the schema accepts \(part.testDescription)")
        }
    }
}

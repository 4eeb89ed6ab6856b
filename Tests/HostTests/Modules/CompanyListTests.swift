import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct CompanyListTests {
    private let root: ScratchRoot

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("details")
    }

    private static func record(_ name: String, age: String = "1") -> String {
        #"{"_id": "id-of-\#(name)", "name": {"first": "\#(name)", "last": "X"}, "company": "C", "balance": "1", "age": \#(age)}"#
    }

    private func write(_ records: [String]) throws {
        try root.folder.write("[\(records.joined(separator: ",\n"))]", to: "data/company.json")
    }

    private func session() throws -> TerminalSession {
        try root.terminal("run", "-i", "list", environment: ["NO_COLOR": "1"]) { child in
            child.arguments += ["--data", "\(root.folder.path)/data"]
        }
    }

    @Test("A selection opens the chosen person even if the file has changed")
    func prepended() async throws {
        try write([Self.record("Ann"), Self.record("Bob")])
        let session = try session()
        #expect(try await session.wait(for: "> ").contains("  1  Ann X   1\n  2  Bob X   1\n"))
        try write([Self.record("Zed"), Self.record("Ann"), Self.record("Bob")])
        try session.type("1\n")
        let detail = try await session.wait(for: "> ")
        #expect(detail.hasPrefix("1\n\nAnn X\n"), "\(detail)")
        try session.type("\u{4}")
        #expect(try await session.end().ending == .code(0))
    }

    @Test(
        "A malformed age is an error of that record only",
        arguments: [
            ("\"old\"", "\"age\" is not an integer", "[0].age"),
            ("30.5", "a number is not an integer, or is out of range", "[0]"),
            ("1e30", "a number is not an integer, or is out of range", "[0]"),
        ])
    func malformed(age: String, cause: String, place: String) async throws {
        try write([Self.record("Ann", age: age), Self.record("Bob")])
        let data = "\(root.folder.path)/data"
        let bob = try await root.host("run", "person", "id=id-of-Bob", "--data", data)
        #expect(bob.text.hasPrefix("Bob X\n  Company   C\n"), "\(bob)")
        let ann = try await root.host("run", "list", "--select", "id-of-Ann", "--data", data)
        #expect(
            ann.text == """
                Person
                ! Cannot read the person
                  cannot read person "id-of-Ann": \(cause)
                    at  company.json $\(place)
                    fix: fix the record in the file
                  [retry] Retry
                  [close] Close

                """, "\(ann)")
    }

    @Test("Retrying after the file is corrected lists the people")
    func retry() async throws {
        try root.folder.write("[", to: "data/company.json")
        let session = try session()
        let damaged = try await session.wait(for: "> ")
        #expect(damaged.contains("! Cannot read the list\n") && damaged.contains("[retry] Retry\n"), "\(damaged)")
        try write([Self.record("Ann")])
        try session.type("retry\n")
        #expect(try await session.wait(for: "> ").contains("C\n  1  Ann X   1\n"))
        try session.type("\u{4}")
        #expect(try await session.end().ending == .code(0))
    }
}

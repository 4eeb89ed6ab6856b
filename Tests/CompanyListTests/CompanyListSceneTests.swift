import Testing
import ViperKit
import ViperTesting

@testable import CompanyList

/// The whole module with a real registry, router and container, and in-memory files.
@MainActor
struct CompanyListSceneTests {
    private func host(_ files: [String: String]) throws -> TestHost {
        try TestHost(CompanyListModule.self, manifest: "company-list.json") { services in
            services.provide(.fileReader, FakeFileReader(files))
        }
    }

    @Test("People are listed under their companies, with balances in one column")
    func list() async throws {
        let file = """
            [{"_id": "z", "name": {"first": "Zoe", "last": "Ng"}, "company": "ZETA", "balance": "$1.00"},
             {"_id": "m", "name": {"first": "Maximilian", "last": "Ito"}, "company": "Alpha", "balance": "$20.00"},
             {"_id": "a", "name": {"first": "Ada", "last": "Lovelace"}, "company": "ZETA", "balance": "$300.00"}]
            """
        let scene = try await host(["company.json": file]).open("list")
        #expect(
            scene.text == """
                People by company
                Alpha
                  Maximilian Ito   $20.00
                ZETA
                  Zoe Ng           $1.00
                  Ada Lovelace     $300.00

                """)
        await scene.expectDeallocated()
    }

    @Test("Without content the scene shows an alert", arguments: [nil, "", " \n", "[]"] as [String?])
    func noContent(file: String?) async throws {
        let scene = try await host(file.map { ["company.json": $0] } ?? [:]).open("list")
        #expect(scene.screen.alert?.title == "No content to show")
        #expect(scene.screen.sections.isEmpty)
        await scene.expectDeallocated()
    }

    @Test(
        "A malformed file shows an alert with file name and position",
        arguments: [
            ("[\n  {\"name\": oops}]", "company.json:2:12\": expected a value"),
            ("[{\"company\": \"A\", \"balance\": \"1\"}]", "company.json:1:2\": \"name\" is missing"),
            (
                "[{\"name\": {\"first\": 1, \"last\": \"x\"}, \"company\": \"A\", \"balance\": \"1\"}]",
                "company.json:1:21\": expected a string, found a number"
            ),
            ("{}", "company.json:1:1\": expected an array, found an object"),
            ("[", "company.json:1:2\": expected a value, found the end of the text"),
        ])
    func malformed(file: String, message: String) async throws {
        let scene = try await host(["company.json": file]).open("list")
        #expect(scene.screen.alert?.title == "Cannot read the list")
        let lines = scene.screen.alert?.message?.split(separator: "\n") ?? []
        #expect(lines.first.map(String.init) == "cannot read file \"" + message)
        await scene.expectDeallocated()
    }

    @Test("Selecting a person asks for the details of another module, and closing returns to the list")
    func detail() async throws {
        let file = """
            [{"_id": "x", "name": {"first": "Bob", "last": "B"}, "company": "beta", "balance": "$1.00", "age": "old"},
             {"_id": "a", "name": {"first": "Ada", "last": "Lovelace"}, "company": "beta", "balance": "$36.00", "age": 36}]
            """
        let scene = try await host(["company.json": file]).open("list")
        try await scene.select("a")
        #expect(scene.screen.alert?.title == "Cannot show the person")
        #expect(scene.screen.alert?.message?.contains("cannot open route \"details\"") == true)
        try await scene.press("close")
        #expect(scene.steps == ["replace-root list", "push person id=a", "pop person"])
        #expect(scene.screen.title == "People by company" && !scene.isClosed)
        await scene.expectDeallocated()
    }

    @Test("Closing the alert closes the scene")
    func closing() async throws {
        let scene = try await host([:]).open("list")
        try await scene.press("close")
        #expect(scene.isClosed)
        #expect(scene.screen.alert != nil)
    }

    @Test("The screen shows loading until the file is read")
    func loading() async throws {
        let (opened, gate) = AsyncStream.makeStream(of: Void.self)
        let host = try TestHost(CompanyListModule.self, manifest: "company-list.json") { services in
            services.provide(.fileReader, GatedFileReader(gate: opened))
        }
        let scene = try await host.assemble("list")
        #expect(!scene.screen.isLoading)
        async let load: Void = scene.load()
        for await screen in scene.screens() where screen.isLoading { break }
        gate.finish()
        await load
        #expect(!scene.screen.isLoading)
    }

    /// A file reader without files, whose calls wait until the gate stream finishes.
    private struct GatedFileReader: FileReader {
        let gate: AsyncStream<Void>

        func read(_ name: String) async throws(ViperError) -> [UInt8] {
            for await _ in gate {}
            return try await FakeFileReader([:]).read(name)
        }

        func decode<Value: Decodable & Sendable>(
            _ type: Value.Type, from name: String
        ) async throws(ViperError) -> Value {
            for await _ in gate {}
            return try await FakeFileReader([:]).decode(type, from: name)
        }
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

/// The providers that can be chosen. A database is included if the package was built with it, and a server can run.
private let providers =
    ["http", "json"] + (isBuilt("PostgreSQLProvider") && PostgreSQLServer.isAvailable ? ["postgresql"] : [])
    + (isBuilt("SQLiteProvider") ? ["sqlite"] : [])

private func isBuilt(_ module: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(Products.folder)/lib\(module).so")
}

@Suite(.fewAtOnce)
struct DataProviderTests {
    private let server: TestServer
    /// The connection string of an empty database. Empty if no server can run.
    private let database: String

    init() async throws {
        server = try await TestServer("records")
        database = providers.contains("postgresql") ? try await SharedPostgreSQL.database() : ""
    }

    private func root(settings: String? = nil) throws -> ScratchRoot {
        let root = try ScratchRoot()
        for name in ["people", "sqlite", "postgresql", "http", "http-client"] { try root.copyManifest(name) }
        if let settings { try root.folder.write(settings, to: "root/host.json") }
        return root
    }

    private func options(_ name: String) -> [String] {
        let settings = ["http": "baseURL=\(server.url)/store", "postgresql": "connection=\(database)"]
        return ["--use", "data-provider=\(name)"] + (settings[name].map { ["--set", "\(name).\($0)"] } ?? [])
    }

    private func host(_ root: ScratchRoot, _ arguments: [String]) async throws -> ChildResult {
        try await root.host("run", "--state", "\(root.path)/state") { child in
            child.arguments.insert(contentsOf: arguments, at: 1)
        }
    }

    private func add(_ name: String, _ root: ScratchRoot, _ options: [String]) async throws {
        let form = ["people/add", "--fill", "name=\(name)", "--fill", "age=36", "--press", "add"]
        let added = try await host(root, form + options)
        #expect(added.text == "Add a person\n✓ Added \(name) - 36\n(closed)\n", "\(added)")
        #expect(added.ending == .code(0))
    }

    private func names(_ root: ScratchRoot, _ options: [String]) async throws -> [String] {
        let result = try await host(root, ["people"] + options)
        #expect(result.ending == .code(0) && !result.text.contains("!"), "\(result)")
        return result.text.matches(of: /\s{2}(\w+) - 36\n/).map { String($0.output.1) }
    }

    private func files(_ root: ScratchRoot) -> [String] {
        let all = FileManager.default.enumerator(atPath: "\(root.path)/state")?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".json") || $0.hasSuffix(".sqlite") }.sorted()
    }

    private static let files = [
        "json": ["data/people.json"], "sqlite": ["modules/sqlite/records.sqlite"], "http": [], "postgresql": [],
    ]

    @Test(
        "People stored by one provider are listed by the next process, and other providers stay empty",
        arguments: providers)
    func chosen(name: String) async throws {
        let root = try root()
        let options = options(name)
        for person in ["Ada", "Eva"] { try await add(person, root, options) }
        #expect(try await names(root, options) == ["Ada", "Eva"])
        #expect(files(root) == Self.files[name])
        for other in providers where other != name {
            #expect(try await names(root, self.options(other)) == [])
        }
        #expect(try await names(root, []) == (name == "json" ? ["Ada", "Eva"] : []))
    }

    @Test(
        "A served list of people shows a person that another process adds",
        // A server does not tell its clients about changes.
        arguments: providers.filter { $0 != "http" })
    func otherProcess(name: String) async throws {
        let root = try root()
        let host = try await ServingHost(root) { $0.arguments += options(name) + ["--state", "\(root.path)/state"] }
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["screens"]}"#)
        #expect(try await client.call("open", #"{"route":"people"}"#).contains(#""result""#))
        try await add("Ada", root, options(name))
        #expect(try await client.line(with: "Ada").contains(#""method":"screen""#))
    }

    @Test("host.json chooses a provider, and the command line overrides it", arguments: providers)
    func inFile(name: String) async throws {
        let root = try root(
            settings: #"""
                {"use": {"data-provider": "\#(name)"},
                 "set": {"http": {"baseURL": "\#(server.url)/store"}, "postgresql": {"connection": "\#(database)"}}}
                """#)
        try await add("Ada", root, [])
        #expect(files(root) == Self.files[name])
        for chosen in providers {
            #expect(
                try await names(root, ["--use", "data-provider=\(chosen)"])
                    == (chosen == name ? ["Ada"] : []))
        }
    }

    @Test(
        "One module gets another provider than the rest, by either option and by host.json",
        .enabled(if: providers.contains("sqlite")))
    func single() async throws {
        for (options, file) in [
            (["--use", "people.data-provider=sqlite"], Self.files["sqlite"]),
            (["--use", "data-provider=sqlite", "--use", "people.data-provider=json"], Self.files["json"]),
            (["--use", "people.data-provider=sqlite", "--isolate", "people"], Self.files["sqlite"]),
        ] {
            let root = try root()
            try await add("Ada", root, options)
            #expect(files(root) == file, "\(options)")
            #expect(try await names(root, options) == ["Ada"])
        }
        let listed = try await self.root().host(
            "services", "--use", "data-provider=sqlite", "--use", "people.data-provider=json")
        #expect(
            listed.text.contains(
                /\ndata-provider +json, http, postgresql, sqlite \(selected\) +people \(from json\)\n/),
            "\(listed)")
        let root = try root(settings: #"{"use": {"people.data-provider": "sqlite"}}"#)
        try await add("Ada", root, ["--use", "data-provider=json"])
        #expect(files(root) == Self.files["sqlite"])
        try await add("Eva", root, ["--use", "people.data-provider=json"])
        #expect(try await names(root, []) == ["Ada"])
    }

    @Test("An unknown provider is an error that lists the existing ones")
    func unknown() async throws {
        let error = """
            host: cannot use provider "data-provider=sqlit": "sqlit" does not provide the service "data-provider"
              providers  http, json, postgresql, sqlite
              fix: write data-provider=sqlite

            """
        let warning = """
            host: warning: host.json $.use.data-provider: "sqlit" does not provide the service "data-provider"; \
            write data-provider=sqlite

            """
        for (settings, options, expected) in [
            (nil, ["--use", "data-provider=sqlit"], error), (#"{"use": {"data-provider": "sqlit"}}"#, [], warning),
        ] {
            let root = try root(settings: settings)
            let result = try await host(root, ["people"] + options)
            #expect(result.ending == .code(78))
            #expect(result.errors.hasPrefix(expected), "\(result)")
            #expect(result.text == "")
            #expect(files(root) == [])
        }
    }

    @Test("A provider with a missing library is an error, and no other provider is used")
    func missingLibrary() async throws {
        let root = try root()
        let manifest = try String(contentsOfFile: "\(root.path)/Manifests/sqlite.json", encoding: .utf8)
        try root.add(
            manifest: manifest.replacing("libSQLiteProvider.so", with: "libGone.so"), as: "sqlite.json")
        let form = ["people/add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add"]
        let result = try await host(root, form + ["--use", "data-provider=sqlite"])
        #expect(result.ending == .code(78), "\(result)")
        #expect(result.errors.contains("libGone.so"), "\(result)")
        #expect(files(root) == [])
    }

    @Test("A missing or invalid server URL is an error that says how to set it")
    func unnamed() async throws {
        let result = try await host(root(), ["people", "--use", "data-provider=http"])
        #expect(result.ending == .code(70))
        #expect(
            result.errors == """
                host: cannot create module "people": cannot create service "data-provider": its provider "http" failed: cannot read configuration "http.baseURL": it is unset
                  requested by  module people → data-provider
                  fix: declare it in the manifest's "config" with a default, or give --set http.baseURL=VALUE

                """)
        let wrong = try await host(
            root(), ["people", "--use", "data-provider=http", "--set", "http.baseURL=example.org"])
        #expect(wrong.ending == .code(70))
        #expect(
            wrong.errors.contains("cannot use base URL \"example.org\": it does not begin with http:// or https://"),
            "\(wrong)")
        #expect(wrong.errors.contains("write one such as http://example.org/api"), "\(wrong)")
    }

    @Test("An unreachable or failing server shows an alert, and the input stays", arguments: ["gone", "full"])
    func trouble(kind: String) async throws {
        let url = kind == "gone" ? "http://127.0.0.1:1" : "\(server.url)/store:full"
        let options = ["--use", "data-provider=http", "--set", "http.baseURL=\(url)"]
        let list = try await host(root(), ["people"] + options)
        #expect(list.ending == .code(0))
        #expect(list.text.contains("! Cannot read the people\n"), "\(list)")
        let form = ["people/add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add"]
        let added = try await host(root(), form + options)
        #expect(added.text.contains("[Ada]"), "\(added)")
        for result in [list, added] {
            #expect(
                result.text.contains(kind == "gone" ? "no connection" : "the server responded with status 500"),
                "\(result)")
            let evidence = kind == "gone" ? "    fix: check host and port" : "    response  the disk is full\n"
            #expect(result.text.contains(evidence), "\(result)")
        }
    }

    @Test("Many processes add people concurrently without loss or duplicates", arguments: providers)
    func atOnce(name: String) async throws {
        let root = try root()
        let options = options(name)
        let people = (1...16).map { "P\($0)" }
        // The first use creates the store, here also concurrently.
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for person in people { tasks.addTask { try await add(person, root, options) } }
            try await tasks.waitForAll()
        }
        #expect(try await names(root, options).sorted() == people.sorted())
    }
}

import FoundationEssentials
import HostSystem
import Testing
import ViperKit

@testable import ModuleCatalog

struct ManifestTests {
    @Test("The members of a full manifest are decoded")
    func everything() throws {
        let manifest = try ManifestFiles.entry("good", "everything").manifest.get()
        #expect(manifest.name == "people-2")
        #expect(manifest.version == "1.10.0-alpha.1+build.007")
        #expect(manifest.library == "lib_People+2-x.y.so")
        #expect(manifest.sdk == InterfaceVersion("1.0"))
        #expect(manifest.requires == ["file-reader", "logger"])
        #expect(manifest.optional == ["clock"])
        #expect(manifest.provides == ["people-store", "x9"])
        #expect(manifest.isolation == .none)
        #expect(manifest.resources == "People/Resources/v1.0")
        #expect(manifest.routes.map(\.name) == ["people/add-one", "people"])
        #expect(manifest.routes.map(\.summary) == ["Adds one — 日本", "Lists"])
        let parameters = manifest.routes[0].parameters
        #expect(parameters.map(\.name) == ["given", "text", "olderThan", "share", "whole", "all", "maybe1"])
        #expect(parameters.map(\.type) == [.string, .string, .integer, .number, .number, .boolean, .integer])
        #expect(
            parameters.map(\.presence) == [
                .required, .defaulted(.string("")), .defaulted(.integer(-3)), .defaulted(.number(0.5)),
                .defaulted(.number(2)), .defaulted(.boolean(true)), .optional,
            ])
        #expect(parameters[0].summary == "Required")
    }

    @Test("Arrays, enumerations and ranges are decoded, and decoding the encoded manifest gives an equal one")
    func constraints() throws {
        let manifest = try ManifestFiles.entry("good", "constraints").manifest.get()
        let parameters = manifest.routes[0].parameters
        #expect(
            parameters.map(\.type.placeholder) == [
                "up|down|\"\"", "INTEGER(0..150)", "NUMBER(0.0..)", "1.0|2.5", "true", "STRING…", "INTEGER(..9)…",
                "red…",
                "INTEGER(1..1)",
            ])
        #expect(
            parameters.map(\.presence) == [
                .defaulted(.string("up")), .defaulted(.integer(150)), .optional, .required, .required,
                .defaulted(.array([])), .defaulted(.array([.integer(1), .integer(9)])), .optional, .required,
            ])
        #expect(try Manifest(text: Data(encodedJSON(manifest)), named: "m.json") == manifest)
    }

    @Test("Contributions are JSON texts, and decoding the encoded manifest gives an equal one")
    func contributions() throws {
        let manifest = try ManifestFiles.entry("good", "contributions").manifest.get()
        #expect(
            manifest.contributes == [
                "menu": [
                    #"{"order":[2,1.5,null,true],"route":"people?olderThan=18","title":"People"}"#, #""text""#, "7",
                    "{}",
                ],
                "start": [], "x-9": ["18446744073709551615"],
            ])
        #expect(try Manifest(text: Data(encodedJSON(manifest)), named: "m.json") == manifest)
        var (writer, other) = (IndexWriter(), manifest)
        manifest.write(to: &writer)
        var reader = IndexReader(writer.bytes[...])
        #expect(try Manifest(from: &reader) == manifest && reader.rest.isEmpty)
        other.contributes["menu"] = []
        #expect(
            other != manifest && other.bytes != manifest.bytes && other.differences(from: manifest) == ["contributes"])
        // The registry does not resolve all modules again for a changed contribution.
        #expect(other.declaresTheSame(as: manifest))
    }

    @Test(
        "The kind and the contracts are kept in the index and when a manifest is encoded",
        arguments: ["contract", "contracts"])
    func contracts(name: String) throws {
        let manifest = try ManifestFiles.entry("good", name).manifest.get()
        #expect(manifest.kind == (name == "contract" ? .contract : .module))
        #expect(manifest.contracts["greeter-api"] == (name == "contract" ? nil : InterfaceVersion("1.2")))
        #expect(try Manifest(text: Data(encodedJSON(manifest)), named: "m.json") == manifest)
        var writer = IndexWriter()
        manifest.write(to: &writer)
        var reader = IndexReader(writer.bytes[...])
        #expect(try Manifest(from: &reader) == manifest && reader.rest.isEmpty)
    }

    @Test("A new version of a contract is resolved again, and so is a module that uses another version")
    func contractDeclarations() throws {
        let contract = try ManifestFiles.entry("good", "contract").manifest.get()
        var later = contract
        later.version = "1.1.0"
        #expect(!later.declaresTheSame(as: contract) && later.differences(from: contract) == ["version"])
        let user = try ManifestFiles.entry("good", "contracts").manifest.get()
        var other = user
        other.contracts["a"] = InterfaceVersion("0.1")
        #expect(!other.declaresTheSame(as: user) && other.differences(from: user) == ["contracts"])
    }

    @Test(
        "A contract has the version of its first two numbers",
        arguments: [("1.2.3", "1.2", true), ("1.2.0-beta.1", "1.3", false), ("2.0.0", "1.0", false)])
    func contractVersion(version: String, needed: String, fits: Bool) throws {
        var contract = try ManifestFiles.entry("good", "contract").manifest.get()
        contract.version = version
        #expect(contract.satisfies(try #require(InterfaceVersion(needed))) == fits)
    }

    @Test(
        "A manifest says which hosts run the module",
        arguments: [
            ("runs", Manifest.Runs.serving), ("runs-always", .always), ("runs-configured", .configured),
            ("runs-never", .never),
        ])
    func runs(file: String, runs: Manifest.Runs) throws {
        let manifest = try ManifestFiles.entry("good", file).manifest.get()
        #expect(manifest.runs == runs)
        #expect(try Manifest(text: Data(encodedJSON(manifest)), named: "m.json") == manifest)
        var (writer, other) = (IndexWriter(), manifest)
        manifest.write(to: &writer)
        var reader = IndexReader(writer.bytes[...])
        #expect(try Manifest(from: &reader) == manifest && reader.rest.isEmpty)
        other.runs = runs == .never ? .always : .never
        #expect(other.bytes != manifest.bytes && other.differences(from: manifest) == ["runs"])
        // The registry does not resolve all modules again.
        #expect(other.declaresTheSame(as: manifest))
    }

    @Test("A manifest says which routes of other modules the module opens")
    func opens() throws {
        let manifest = try ManifestFiles.entry("good", "opens").manifest.get()
        #expect(manifest.opens == ["details", "people/add", "*"])
        #expect(try Manifest(text: Data(encodedJSON(manifest)), named: "m.json") == manifest)
        var (writer, other) = (IndexWriter(), manifest)
        manifest.write(to: &writer)
        var reader = IndexReader(writer.bytes[...])
        #expect(try Manifest(from: &reader) == manifest && reader.rest.isEmpty)
        other.opens = ["details"]
        #expect(other.bytes != manifest.bytes && other.differences(from: manifest) == ["opens"])
        #expect(other.declaresTheSame(as: manifest))
        #expect(manifest.mayOpen("any") && other.mayOpen("details") && !other.mayOpen("any"))
        other.routes = try ManifestFiles.entry("good", "everything").manifest.get().routes
        #expect(other.mayOpen("people/add-one"))
    }

    @Test("Members that a manifest leaves out are empty")
    func minimal() throws {
        let manifest = try ManifestFiles.entry("good", "minimal").manifest.get()
        #expect(manifest.routes.isEmpty && manifest.requires.isEmpty && manifest.provides.isEmpty)
        #expect(manifest.optional.isEmpty && manifest.resources == nil && manifest.isolation == .none)
        #expect(manifest.contributes.isEmpty && manifest.kind == .module && manifest.contracts.isEmpty)
        #expect(manifest.runs == .never && manifest.opens.isEmpty)
    }

    @Test("A module that requires services can be isolated")
    func isolated() throws {
        let manifest = try ManifestFiles.entry("good", "isolation-process").manifest.get()
        #expect(manifest.isolation == .process)
        #expect(manifest.requires == ["b"] && manifest.optional == ["logger", "c"])
    }

    @Test("An integer may be written with a fraction of zero")
    func wholeNumber() throws {
        let manifest = try ManifestFiles.entry("good", "integer-written-as-1.0").manifest.get()
        #expect(manifest.routes[0].parameters[0].presence == .defaulted(.integer(1)))
    }

    @Test(
        "A host runs modules of its own major version and of no newer minor version",
        arguments: [
            ("1.2", "1.2", true), ("1.2", "1.0", true), ("1.2", "1.3", false), ("1.2", "0.1", false),
            ("1.2", "2.0", false), ("1.10", "1.9", true), ("1.9", "1.10", false),
        ])
    func sdk(host: String, module: String, runs: Bool) throws {
        #expect(try #require(InterfaceVersion(host)).satisfies(#require(InterfaceVersion(module))) == runs)
    }

    @Test("An SDK version is printed as it was parsed", arguments: ["0.0", "1.0", "12.345"])
    func sdkText(text: String) throws {
        #expect(try #require(InterfaceVersion(text)).description == text)
    }

    @Test(
        "Each key of the format counts as a difference",
        arguments: Manifest.CodingKeys.allCases.filter { $0 != .schema })
    func difference(key: Manifest.CodingKeys) throws {
        let values: [Manifest.CodingKeys: String] = [
            .kind: #""contract""#, .name: #""b""#, .version: #""1.0.1""#, .library: #""libB.so""#, .sdk: #""1.1""#,
            .routes: #"[{"name": "r", "summary": "R"}]"#, .requires: #"["s"]"#, .optional: #"["s"]"#,
            .collects: #"["s"]"#, .provides: #"["s"]"#, .resources: #""files""#,
            .config: #"[{"name": "k", "type": "string", "summary": "K"}]"#, .isolation: #""process""#,
            .contributes: #"{"menu": [{"title": "A"}]}"#, .contracts: #"{"m": "1.0"}"#, .runs: "true",
            .opens: #"["r"]"#, .author: #""Ada""#, .license: #""MIT""#, .homepage: #""https://example.com""#,
        ]
        var members: [Manifest.CodingKeys: String] = [
            .name: #""a""#, .version: #""1.0.0""#, .library: #""libA.so""#, .sdk: #""1.0""#,
        ]
        func manifest() throws -> Manifest {
            let text = members.map { "\"\($0.key.stringValue)\": \($0.value)" }.joined(separator: ", ")
            return try Manifest(text: Data("{\(text)}".utf8), named: "m.json")
        }
        let first = try manifest()
        #expect(values[key] != nil, "add a value for the new key")
        members[key] = values[key]
        #expect(try manifest().differences(from: first) == [key.stringValue])
    }
}

import Testing

@testable import ViperRuntime

/// The decoder and `Manifests/module.schema.json` say the same, over a folder of good and one of bad manifests.
struct SchemaAgreementTests {
    /// What the schema says of each file of a folder: nil when it accepts it, else why not.
    private func verdicts(_ kind: String) throws -> [String: String?] {
        let paths = try ManifestFiles.names(kind).map { "\(ManifestFiles.folder)/\(kind)/\($0).json" }
        let output: String
        do {
            output = try Tool.run(["python3", "\(ManifestFiles.folder)/validate.py", ManifestFiles.schema] + paths)
        } catch {
            throw Tool.Failure(
                description: """
                    cannot validate JSON Schema: \(error)
                    install Python 3 and its package jsonschema: python3 -m pip install jsonschema
                    """)
        }
        var verdicts: [String: String?] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "\t")
            try #require(parts.count == 2, "validate.py printed: \(line)")
            let name = try #require(parts[1].split(separator: "/").last).dropLast(5)
            verdicts[String(name)] = parts[0] == "accepted" ? String?.none : String(parts[0])
        }
        return verdicts
    }

    @Test("what the decoder accepts, the schema accepts")
    func good() throws {
        let verdicts = try verdicts("good")
        let names = try ManifestFiles.names("good")
        try #require(!names.isEmpty && verdicts.keys.sorted() == names)
        for name in names {
            #expect(verdicts[name] == .some(nil), "the schema refuses good/\(name)")
            #expect(throws: Never.self) { try ManifestFiles.entry("good", name).manifest.get() }
        }
    }

    @Test("what the schema refuses, the decoder refuses")
    func bad() throws {
        let verdicts = try verdicts("bad")
        let names = try ManifestFiles.names("bad")
        try #require(!names.isEmpty && verdicts.keys.sorted() == names)
        for name in names {
            #expect(verdicts[name] != .some(nil), "the schema accepts bad/\(name)")
            #expect(ManifestFiles.entry("bad", name).manifest.failure != nil, "the decoder accepts bad/\(name)")
        }
    }
}

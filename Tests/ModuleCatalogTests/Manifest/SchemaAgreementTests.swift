import TestSupport
import Testing

@testable import ModuleCatalog

/// Agreement of the decoder and `Manifests/module.schema.json` on valid and on invalid manifests.
@Suite(.fewAtOnce)
struct SchemaAgreementTests {
    /// Returns the schema's error for each file of a folder, or nil if the schema accepts the file.
    private func verdicts(_ kind: String) async throws -> [String: String?] {
        let paths = try ManifestFiles.names(kind).map { "\(ManifestFiles.folder)/\(kind)/\($0).json" }
        return try await SchemaJudge.verdicts(ManifestFiles.schema, on: paths)
    }

    @Test("The decoder and the schema accept the valid manifests")
    func good() async throws {
        let verdicts = try await verdicts("good")
        let names = try ManifestFiles.names("good")
        try #require(!names.isEmpty && verdicts.keys.sorted() == names)
        for name in names {
            #expect(verdicts[name] == .some(nil), "the schema refuses good/\(name)")
            #expect(throws: Never.self) { try ManifestFiles.entry("good", name).manifest.get() }
        }
    }

    @Test("The decoder and the schema refuse the invalid manifests")
    func bad() async throws {
        let verdicts = try await verdicts("bad")
        let names = try ManifestFiles.names("bad")
        try #require(!names.isEmpty && verdicts.keys.sorted() == names)
        for name in names {
            #expect(verdicts[name] != .some(nil), "the schema accepts bad/\(name)")
            #expect(ManifestFiles.entry("bad", name).manifest.failure != nil, "the decoder accepts bad/\(name)")
        }
    }
}

import TestSupport
import Testing

@testable import ViperRuntime

/// The decoder and `Manifests/module.schema.json` say the same, over a folder of good and one of bad manifests.
@Suite(.fewAtOnce)
struct SchemaAgreementTests {
    /// What the schema says of each file of a folder: nil when it accepts it, else why not.
    private func verdicts(_ kind: String) async throws -> [String: String?] {
        let paths = try ManifestFiles.names(kind).map { "\(ManifestFiles.folder)/\(kind)/\($0).json" }
        return try await SchemaJudge.verdicts(ManifestFiles.schema, on: paths)
    }

    @Test("what the decoder accepts, the schema accepts")
    func good() async throws {
        let verdicts = try await verdicts("good")
        let names = try ManifestFiles.names("good")
        try #require(!names.isEmpty && verdicts.keys.sorted() == names)
        for name in names {
            #expect(verdicts[name] == .some(nil), "the schema refuses good/\(name)")
            #expect(throws: Never.self) { try ManifestFiles.entry("good", name).manifest.get() }
        }
    }

    @Test("what the schema refuses, the decoder refuses")
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

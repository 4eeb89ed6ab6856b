import Foundation
import HostDriver
import Testing

/// A root with a bad module and a good one.
///
/// The bad module has the manifest `Manifests/bad.json`, the library `libBad.so` and the route `bad`.
struct Refusal {
    let root: ScratchRoot

    init(_ manifest: ManifestText = Self.manifest) throws {
        root = try ScratchRoot()
        try root.add(manifest)
    }

    static var manifest: ManifestText { ManifestText("bad", library: "libBad.so", routes: ["bad"]) }

    func copy(_ fixture: ModuleFixture) async throws { try await root.copy(fixture.compiled(), to: "libBad.so") }

    /// Checks that the bad route fails with exactly this error, that the listing shows the module in this state,
    /// and that the good module works. If the state is `refused`, the listing shows the same error.
    func expect(
        _ error: String, code: Int32 = 78, state: String = "refused", environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let bad = try await root.host("run", "bad", environment: environment)
        #expect(bad.ending == .code(code), sourceLocation: sourceLocation)
        #expect(bad.errors == "host: \(error)\n", sourceLocation: sourceLocation)
        #expect(bad.text == "", sourceLocation: sourceLocation)
        try await expectListed(state == "refused" ? error : nil, state, environment, sourceLocation)
        try await expectGoodWorks(environment: environment, sourceLocation: sourceLocation)
    }

    private func expectListed(
        _ error: String?, _ state: String, _ environment: [String: String], _ sourceLocation: SourceLocation
    ) async throws {
        let modules = try await root.host("modules", environment: environment)
        #expect(modules.ending == .code(0), sourceLocation: sourceLocation)
        #expect(modules.errors == "", sourceLocation: sourceLocation)
        let row = modules.text.split(separator: "\n").first { $0.hasPrefix("bad ") }?.split(separator: " ")
        #expect(row?.contains(Substring(state)) == true, "\(modules)", sourceLocation: sourceLocation)
        // The root has no module with the route that company-list opens.
        let refusals = modules.text.split(separator: "\n\n").dropFirst()
            .map { $0.hasSuffix("\n") ? String($0.dropLast()) : String($0) }
            .filter { !$0.hasPrefix("module company-list: cannot open route ") }
        #expect(refusals == (error.map { [$0] } ?? []), sourceLocation: sourceLocation)
    }

    func expectGoodWorks(
        environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let good = try await root.host("run", "list", environment: environment)
        #expect(good.ending == .code(0), sourceLocation: sourceLocation)
        #expect(good.text == RunTests.list, sourceLocation: sourceLocation)
        #expect(good.errors == "", sourceLocation: sourceLocation)
    }
}

import Foundation
import TestSupport
import Testing
import ViperKit

/// ViperKit's binary interface against what was released of it, judged by the toolchain's own swift-api-digester.
///
/// `Released/` has the interface of each released version, as the compiler wrote it. A new version is released by copying
/// the `ViperKit.swiftinterface` of a release build there.
struct InterfaceTests {
    private static let released =
        (try? FileManager.default.contentsOfDirectory(atPath: Products.releasedInterfaces)) ?? []

    private static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(Products.releasedInterfaces)/\(file)", encoding: .utf8)
    }

    private static var today: String {
        get throws {
            try String(contentsOfFile: "\(Products.folder)/Modules/ViperKit.swiftinterface", encoding: .utf8)
        }
    }

    @Test("there is something that was released")
    func isReleased() { #expect(Self.released.contains("1.0.swiftinterface")) }

    @Test("what a released ViperKit has promised, this one keeps", arguments: released)
    func kept(file: String) async throws {
        let verdict = try await Comparison(of: Self.text(file), with: Self.today).verdict()
        #expect(verdict.ending == .code(0), "\(verdict)")
    }

    @Test(
        "a change that breaks modules fails and names the declaration",
        arguments: [
            (
                "  public static func unpack(", "  public static func unwrap(",
                "func ModuleEntry.unpack(_:) has been removed"
            ),
            (
                "  @_Concurrency.MainActor func stop() async\n",
                "  @_Concurrency.MainActor func stop() async\n  @_Concurrency.MainActor func pause() async\n",
                "Module.pause()"
            ),
            (
                "  public init(title: Swift.String)\n",
                "  public init(title: Swift.String, text: Swift.String? = nil)\n",
                "Screen.init(title:) has been removed"
            ),
        ])
    func broken(old: String, new: String, message: String) async throws {
        let before = try Self.text("1.0.swiftinterface")
        let after = before.replacingOccurrences(of: old, with: new)
        try #require(after != before)
        let verdict = try await Comparison(of: before, with: after).verdict()
        #expect(verdict.ending == .code(1) && verdict.errors.contains(message), "\(verdict)")
    }

    @Test("the interface has a version of its own as soon as it differs from what was released of that version")
    func version() async throws {
        guard let file = Self.released.first(where: { $0 == "\(SDK.version).swiftinterface" }) else { return }
        let verdict = try await Comparison(of: Self.today, with: Self.text(file)).verdict()
        #expect(verdict.ending == .code(0), "it has more than the released \(SDK.version): \(verdict)")
    }
}

/// Two interfaces, and what the digester says of the way from one to the other.
private struct Comparison {
    private let folder: ScratchFolder

    init(of old: String, with new: String) throws {
        folder = try ScratchFolder()
        try folder.write(old, to: "old/ViperKit.swiftinterface")
        try folder.write(new, to: "new/ViperKit.swiftinterface")
    }

    func verdict() async throws -> ChildResult {
        for side in ["old", "new"] {
            let dumped = try await digester(
                "-dump-sdk", "-module", "ViperKit", "-I", "\(folder.path)/\(side)", "-o", "\(folder.path)/\(side).json",
                "-module-cache-path", "\(folder.path)/cache-\(side)", "-sdk", "/")
            try #require(dumped.ending == .code(0), "\(dumped)")
        }
        // Without the two flags before the paths it ends with 0, whatever it finds.
        return try await digester(
            "-diagnose-sdk", "-compiler-style-diags", "-error-on-abi-breakage", "-input-paths",
            "\(folder.path)/old.json", "-input-paths", "\(folder.path)/new.json")
    }

    private func digester(_ arguments: String...) async throws -> ChildResult {
        try await ChildProcess("swift-api-digester", ["-abi"] + arguments).run()
    }
}

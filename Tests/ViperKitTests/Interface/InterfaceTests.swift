import Foundation
import TestSupport
import Testing
import ViperKit

/// ViperKit's binary interface against what was released of it, judged by the toolchain's own swift-api-digester.
///
/// `Released/` has the interface of each released version, as the compiler wrote it. A new version is released by copying
/// the `ViperKit.swiftinterface` of a release build there.
@Suite(.fewAtOnce)
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
        #expect(try await Comparison(of: Self.text(file), with: Self.today).faults() == [])
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
            (
                "func read(_ name: Swift.String) async throws(ViperKit.ViperError)",
                "func read(_ name: Swift.String) async throws", "is gone: func read("
            ),
            (
                "  @_Concurrency.MainActor func stop() async\n", "  nonisolated func stop() async\n",
                "is gone: @_Concurrency.MainActor func stop() async"
            ),
            ("swift_6_3()\n", "swift_9_9()\n", "is gone: Compiler.swift_6_3()"),
        ])
    func broken(old: String, new: String, message: String) async throws {
        let before = try Self.text("1.0.swiftinterface")
        let after = before.replacingOccurrences(of: old, with: new)
        try #require(after != before)
        let faults = try await Comparison(of: before, with: after).faults()
        #expect(faults.contains { $0.contains(message) }, "\(faults)")
    }

    @Test("an interface that is none is told, and not taken for an empty one")
    func nonsense() async throws {
        let before = try Self.text("1.0.swiftinterface")
        let after = before.replacingOccurrences(of: "Swift.String", with: "Swift.Strong")
        await #expect(throws: Unreadable.self) { _ = try await Comparison(of: after, with: after).faults() }
    }

    @Test("what is more than was released has a later version")
    func version() throws {
        let versions = Self.released.map { $0.replacing(".swiftinterface", with: "") }
        let newest = try #require(versions.max { $0.compare($1, options: .numeric) == .orderedAscending })
        let isMore = try !Comparison.lines(Self.today).subtracting(
            Comparison.lines(Self.text("\(newest).swiftinterface"))
        )
        .isEmpty
        let order = newest.compare(SDK.version, options: .numeric)
        #expect(
            isMore ? order == .orderedAscending : order != .orderedDescending, "\(newest), and today \(SDK.version)")
    }
}

/// Two interfaces, and what the digester says of the way from one to the other.
private struct Comparison {
    private let folder: ScratchFolder
    private let old: String
    private let new: String

    init(of old: String, with new: String) throws {
        (self.old, self.new) = (old, new)
        folder = try ScratchFolder()
        try folder.write(old, to: "old/ViperKit.swiftinterface")
        try folder.write(new, to: "new/ViperKit.swiftinterface")
    }

    /// Everything in which the new interface does not keep what the old one promised.
    func faults() async throws -> [String] {
        let verdict = try await verdict()
        let told = verdict.errors.split(separator: "\n").filter { $0.contains("ABI breakage") && $0.contains("error:") }
        // The digester says little of isolation, of typed throws, and nothing of bodies that are compiled into modules. So each line of
        // the old one has to be there still.
        let gone = Self.lines(old).subtracting(Self.lines(new)).sorted().map { "is gone: \($0)" }
        return told.map(String.init) + gone + (verdict.ending == .code(0) || !told.isEmpty ? [] : ["\(verdict)"])
    }

    /// The lines of an interface without the compiler's own remarks.
    static func lines(_ interface: String) -> Set<String> {
        let lines = interface.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(lines.filter { !$0.hasPrefix("//") && !$0.hasPrefix("public import ") })
    }

    private func verdict() async throws -> ChildResult {
        for side in ["old", "new"] {
            let dumped = try await digester(
                "-dump-sdk", "-module", "ViperKit", "-I", "\(folder.path)/\(side)", "-o", "\(folder.path)/\(side).json",
                "-module-cache-path", "\(folder.path)/cache-\(side)", "-sdk", "/")
            // What it cannot read it takes for an empty interface, and says so on the way.
            let dump = try? String(contentsOfFile: "\(folder.path)/\(side).json", encoding: .utf8)
            guard dumped.ending == .code(0), !dumped.errors.contains("error:"), dump?.contains("ModuleEntry") == true
            else { throw Unreadable(result: dumped) }
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

/// An interface that the digester cannot read, with what it says.
private struct Unreadable: Error {
    var result: ChildResult
}

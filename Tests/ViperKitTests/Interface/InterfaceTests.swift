import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

/// ViperKit's binary interface, compared with its released versions by swift-api-digester.
///
/// `Released/` holds the interface of each released version as the compiler wrote it. Compatibility.md in ViperKit's
/// documentation describes how a version is released.
@Suite(.fewAtOnce)
struct InterfaceTests {
    private static var released: [String] { get throws { try Products.releasedVersions } }

    private static func text(_ version: String) throws -> String {
        try String(contentsOfFile: "\(Products.releasedInterfaces)/\(version).swiftinterface", encoding: .utf8)
    }

    private static var today: String {
        get throws {
            try String(contentsOfFile: "\(Products.folder)/Modules/ViperKit.swiftinterface", encoding: .utf8)
        }
    }

    /// The versions from 1.0 up to a current version, without it. A gap would leave a release without a comparison.
    private static func earlier(than current: String) throws -> [String] {
        let parts = current.split(separator: ".").compactMap { Int($0) }
        try #require(parts.count == 2 && parts[0] == 1)
        return (0..<parts[1]).map { "1.\($0)" }
    }

    @Test("The interfaces of version 1.0 and of each later version before this one are stored")
    func areReleased() throws {
        let released = try Self.released
        #expect(released.contains("1.0"))
        #expect(try Self.earlier(than: SDK.version).filter { !released.contains($0) } == [])
        #expect(try Self.earlier(than: "1.11").last == "1.10")
    }

    @Test("This ViperKit keeps the interface of each released version", arguments: try released)
    func kept(version: String) async throws {
        #expect(try await Comparison(of: Self.text(version), with: Self.today).faults() == [])
    }

    @Test(
        "A breaking change fails and names the declaration",
        arguments: [
            (
                "  public func encodedParameters()", "  public func encoded()",
                "func RouteArguments.encodedParameters() has been renamed to func encoded()"
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
        let before = try Self.text("1.0")
        let after = before.replacingOccurrences(of: old, with: new)
        try #require(after != before)
        let faults = try await Comparison(of: before, with: after).faults()
        #expect(faults.contains { $0.contains(message) }, "\(faults)")
    }

    @Test("An unreadable interface throws instead of passing as an empty one")
    func nonsense() async throws {
        let before = try Self.text("1.0")
        let after = before.replacingOccurrences(of: "Swift.String", with: "Swift.Strong")
        await #expect(throws: Unreadable.self) { _ = try await Comparison(of: after, with: after).faults() }
    }

    @Test("An interface with additions has a higher version than the last release")
    func version() throws {
        let newest = try #require(try Self.released.last)
        let isMore = try !Comparison.lines(Self.today).subtracting(Comparison.lines(Self.text(newest))).isEmpty
        let order = newest.compare(SDK.version, options: .numeric)
        #expect(
            isMore ? order == .orderedAscending : order != .orderedDescending, "\(newest), and today \(SDK.version)")
    }
}

/// Two interfaces, compared by the digester.
private struct Comparison {
    private let old: String
    private let new: String

    init(of old: String, with new: String) { (self.old, self.new) = (old, new) }

    /// Returns each way in which the new interface breaks the old one.
    func faults() async throws -> [String] {
        let verdict = try await verdict()
        let told = verdict.errors.split(separator: "\n").filter { $0.contains("ABI breakage") && $0.contains("error:") }
        // The digester misses most changes of isolation and typed throws, and all changes of bodies that are compiled
        // into modules. So each line of the old interface must still be present.
        let gone = Self.lines(old).subtracting(Self.lines(new)).sorted().map { "is gone: \($0)" }
        return told.map(String.init) + gone + (verdict.ending == .code(0) || !told.isEmpty ? [] : ["\(verdict)"])
    }

    /// Returns the interface's lines without the compiler's comments and imports.
    static func lines(_ interface: String) -> Set<String> {
        let lines = interface.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(lines.filter { !$0.hasPrefix("//") && !$0.hasPrefix("public import ") })
    }

    private func verdict() async throws -> ChildResult {
        let (before, after) = (try await Self.dump(of: old), try await Self.dump(of: new))
        // Without the two flags before the paths, the digester always exits with 0.
        return try await Self.digester(
            "-diagnose-sdk", "-compiler-style-diags", "-error-on-abi-breakage", "-input-paths", before,
            "-input-paths", after)
    }

    /// Returns the path of the digester's description of an interface, which is made once per test run.
    private static func dump(of interface: String) async throws -> String {
        try await BuildCache.shared.output("digest \(interface)") { folder in
            try interface.write(toFile: "\(folder)/ViperKit.swiftinterface", atomically: false, encoding: .utf8)
            let path = "\(folder)/ViperKit.json"
            let cache = try await BuildCache.shared.output("the digester's modules") { $0 }
            let dumped = try await digester(
                "-dump-sdk", "-module", "ViperKit", "-I", folder, "-o", path, "-module-cache-path", cache,
                "-sdk", "/")
            // The digester treats an unreadable interface as empty and only prints an error.
            let dump = try? String(contentsOfFile: path, encoding: .utf8)
            guard dumped.ending == .code(0), !dumped.errors.contains("error:"), dump?.contains("ModuleEntry") == true
            else { throw Unreadable(result: dumped) }
            return path
        }
    }

    private static func digester(_ arguments: String...) async throws -> ChildResult {
        try await ChildProcess("swift-api-digester", ["-abi"] + arguments).run()
    }
}

/// The digester's failure to read an interface, with its output.
private struct Unreadable: Error {
    var result: ChildResult
}

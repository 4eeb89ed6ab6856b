import Foundation
import HostDriver
import TestSupport
import Testing

@testable import host

/// The exchange of two files in steps, for file systems without an atomic exchange.
@Suite(.fewAtOnce)
struct ReplacementTests {
    private let scratch: ScratchFolder
    private var new: String { "\(scratch.path)/new" }
    private var old: String { "\(scratch.path)/old" }

    init() throws { scratch = try ScratchFolder() }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test("Two files or two folders are exchanged, and no other file is left", arguments: ["", "/file"])
    func exchange(inside: String) throws {
        try scratch.write("new", to: "new\(inside)")
        try scratch.write("old", to: "old\(inside)")
        #expect(Replacement.exchangeInSteps(new, old))
        #expect(text(old + inside) == "new" && text(new + inside) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["new", "old"])
    }

    @Test("If the new file is missing, the old one stays", arguments: ["", "/file"])
    func failure(inside: String) throws {
        try scratch.write("old", to: "old\(inside)")
        #expect(!Replacement.exchangeInSteps(new, old))
        #expect(text(old + inside) == "old")
    }
}

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

    @Test("Two files are exchanged, and no other file is left")
    func exchange() throws {
        try scratch.write("new", to: "new")
        try scratch.write("old", to: "old")
        #expect(Replacement.exchangeInSteps(new, old))
        #expect(text(old) == "new" && text(new) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["new", "old"])
    }

    @Test("If the new file is missing, the old one stays")
    func failure() throws {
        try scratch.write("old", to: "old")
        #expect(!Replacement.exchangeInSteps(new, old))
        #expect(text(old) == "old")
    }
}

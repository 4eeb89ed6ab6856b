import Foundation
import TestSupport
import Testing

@testable import host

/// What stands in for the exchange of two files where a file system has none.
@Suite(.fewAtOnce)
struct ReplacementTests {
    private let scratch: ScratchFolder
    private var new: String { "\(scratch.path)/new" }
    private var old: String { "\(scratch.path)/old" }

    init() throws { scratch = try ScratchFolder() }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test("two files change places, and two folders, and nothing is left beside them", arguments: ["", "/file"])
    func exchange(inside: String) throws {
        try scratch.write("new", to: "new\(inside)")
        try scratch.write("old", to: "old\(inside)")
        #expect(Replacement.exchangeInSteps(new, old))
        #expect(text(old + inside) == "new" && text(new + inside) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["new", "old"])
    }

    @Test("when the new one cannot be put there, the old one is where it was", arguments: ["", "/file"])
    func failure(inside: String) throws {
        try scratch.write("old", to: "old\(inside)")
        #expect(!Replacement.exchangeInSteps(new, old))
        #expect(text(old + inside) == "old")
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct HostileDocumentationTests {
    private static let deeds = [
        "null": "reads through a null pointer", "loop": "loops forever", "recursion": "recurses without end",
        "exit": "calls `exit(0)`", "abort": "calls `abort`", "thread": "starts a thread that crashes later",
        "hog": "allocates without end", "leak": "opens files without closing them", "print": "prints",
        "write": "writes to descriptor 1", "close": "closes descriptors 0 to 2",
        "fork": "forks, and the child stays", "throw": "throws",
        "kill": "is hostile, and kills the host's process",
    ]
    private static let places = [
        "initialiser": "an initialiser of the library", "entry": "its entry", "making": "`init(services:)`",
        "health": "`checkHealth()`", "opening": "a route's closure", "event": "an event",
    ]

    @Test("The table of faults has a row for each hostile case with its effects")
    func table() throws {
        let article = "\(Products.repository)/Sources/ViperKit/Documentation.docc/Faults.md"
        let rows = try String(contentsOfFile: article, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("|") }.dropFirst(2)
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let expected = try HostileCase.all.map { hostile in
            [try #require(Self.deeds[hostile.deed]), try #require(Self.places[hostile.place])]
                + [hostile.run, hostile.served, hostile.isolated].map(\.words)
        }
        #expect(rows == expected)
    }
}

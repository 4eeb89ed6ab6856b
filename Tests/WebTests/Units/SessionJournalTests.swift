import Foundation
import HostDriver
import HostSystem
import Testing
import ViperKit

@testable import Web

/// The file of the sessions.
struct SessionJournalTests {
    private static func session(_ cookie: String, _ server: String = "s", seen: Int? = nil) -> SavedSession {
        SavedSession(
            cookie: cookie, identity: "i", token: "t", windows: [], server: server, begun: 1,
            seen: seen ?? SavedSession.now)
    }

    private static func cookies(_ journal: SessionJournal) throws -> [String] {
        try journal.rewrite { $0 }.sessions.map(\.cookie)
    }

    @Test("Sessions that begin are there until they end, and a damaged line hides no other")
    func changes() throws {
        let folder = try ScratchFolder()
        let journal = SessionJournal(folder: folder.path, json: FoundationJSONCoder())
        #expect(try Self.cookies(journal).isEmpty)
        _ = try journal.append([.init(begin: Self.session("a")), .init(begin: Self.session("b"))])
        // A host was killed while it wrote a line.
        let path = folder.path + "/sessions.jsonl"
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"begin":{"cook"#.utf8))
        try file.close()
        _ = try journal.append([.init(end: "a"), .init(begin: Self.session("c", "other"))])
        let read = try journal.rewrite { $0 }
        #expect(read.sessions.map(\.cookie) == ["b", "c"] && read.damaged == 1)
        #expect(try journal.rewrite { $0 }.damaged == 0)
        _ = try journal.append([.init(endAll: "other"), .init(begin: Self.session("b"))])
        #expect(try Self.cookies(journal) == ["b"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("The file of an earlier version is taken over")
    func earlier() throws {
        let folder = try ScratchFolder()
        let journal = SessionJournal(folder: folder.path, json: FoundationJSONCoder())
        try folder.write(#"[{"cookie":"a","identity":"i","token":"t","windows":[]}]"#, to: "sessions.json")
        _ = try journal.append([.init(begin: Self.session("b"))])
        for _ in 0..<2 { #expect(try Self.cookies(journal) == ["a", "b"]) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/sessions.json"))
    }

    @Test("Changes of several users of the file are all kept, also while it is written anew")
    func concurrent() async throws {
        let folder = try ScratchFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in 0..<6 {
                group.addTask {
                    try await onOwnThread {
                        let journal = SessionJournal(folder: folder.path, json: FoundationJSONCoder())
                        for number in 0..<40 {
                            _ = try journal.append([.init(begin: Self.session("\(user)-\(number)"))])
                            if number % 2 == 1 { _ = try journal.append([.init(end: "\(user)-\(number)")]) }
                            if number % 8 == user { try journal.rewrite { $0 } }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let journal = SessionJournal(folder: folder.path, json: FoundationJSONCoder())
        let expected = (0..<6).flatMap { user in (0..<20).map { "\(user)-\($0 * 2)" } }
        #expect(try Self.cookies(journal).sorted() == expected.sorted())
    }
}

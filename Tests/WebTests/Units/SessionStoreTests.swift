import Foundation
import HostDriver
import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import Web

/// How changes of the sessions are stored while a server runs.
struct SessionStoreTests {
    private let folder: ScratchFolder
    private let logger = RecordingLogger()
    private let store: SessionStore

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
        let journal = SessionJournal(folder: folder.path + "/state", json: FoundationJSONCoder(), limit: 1 << 20)
        store = SessionStore(journal: journal, server: "s", logger: logger)
    }

    private static func session(_ cookie: String, browser: String? = nil) -> SavedSession {
        SavedSession(
            cookie: cookie, identity: "i", token: "t", windows: [], server: "s", begun: 1, seen: SavedSession.now,
            browser: browser)
    }

    private func cookies() throws -> [String] { try store.load().map(\.cookie) }

    /// Makes a change while the file cannot be written.
    private func fail(_ change: SessionJournal.Change) async throws {
        let (path, other) = (folder.path + "/state", folder.path + "/other")
        try FileManager.default.moveItem(atPath: path, toPath: other)
        let error = await #expect(throws: ViperError.self) { try await store.store(change).result() }
        #expect(error?.code == .storeFailed)
        try FileManager.default.moveItem(atPath: other, toPath: path)
    }

    @Test("A logout that could not be stored is stored with the next change, and when the sessions are saved")
    func logout() async throws {
        let running = Task { [store] in await store.run() }
        for cookie in ["a", "b", "c", "d"] { try await store.store(.init(begin: Self.session(cookie))).result() }
        try await fail(.init(end: "a"))
        #expect(try cookies() == ["a", "b", "c", "d"])
        try await store.store(.init(end: "b")).result()
        #expect(try cookies() == ["c", "d"])
        try await fail(.init(end: "c"))
        try store.save([], hasWindows: false)
        #expect(try cookies() == ["d"])
        try await fail(.init(endAll: "s"))
        try await store.store(.init(begin: Self.session("e"))).result()
        #expect(try cookies() == ["e"])
        store.close()
        await running.value
    }

    @Test("Changes are stored after the task was cancelled, until the store is closed")
    func end() async throws {
        let running = Task { [store] in await store.run() }
        running.cancel()
        try await store.store(.init(begin: Self.session("a"))).result()
        let last = store.store(.init(begin: Self.session("b")))
        store.close()
        try await last.result()
        await running.value
        let error = await #expect(throws: ViperError.self) { try await store.store(.init(end: "a")).result() }
        #expect(error?.code == .serverFailed)
        #expect(try cookies() == ["a", "b"])
    }

    @Test("A change is stored even if the file is then too large to be rewritten, and the file stays whole")
    func size() async throws {
        let running = Task { [store] in await store.run() }
        let large = String(repeating: "x", count: 2 << 20)
        try await store.store(.init(begin: Self.session("a", browser: large))).result()
        store.close()
        await running.value
        #expect(logger.messages.contains { $0.message.contains("more than 1048576 bytes") })
        #expect(throws: ViperError.self) { try store.load() }
    }
}

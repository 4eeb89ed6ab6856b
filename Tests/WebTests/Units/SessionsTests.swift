import HostDriver
import HostSystem
import Testing
import ViperTesting

@testable import Web

/// How many sessions there are, how fast they begin, and which one ends first.
struct SessionsTests {
    private let start = ContinuousClock.now

    /// Returns an empty set, which stores nothing.
    private static func sessions() -> Sessions {
        let journal = SessionJournal(folder: "/none", json: FoundationJSONCoder())
        return Sessions(
            windowLimit: 20, hasLogin: false,
            store: SessionStore(journal: journal, server: "s", logger: RecordingLogger()))
    }

    /// Begins sessions, as fast as the server allows.
    private func begin(_ count: Int, in sessions: Sessions, after time: Duration = .zero) -> [Session] {
        (0..<count).compactMap { index in
            guard case .begun(let session, _) = sessions.begin(at: start + time + .milliseconds(50) * (index + 1))
            else {
                return nil
            }
            return session
        }
    }

    @Test("At most twenty sessions begin within a second, and a browser that logs in is not counted")
    func rate() {
        let sessions = Self.sessions()
        func begin(after time: Duration, isInvited: Bool = false) -> Bool {
            if case .begun = sessions.begin(isInvited: isInvited, at: start + time) { true } else { false }
        }
        #expect((0..<50).count { _ in begin(after: .zero) } == 20)
        #expect(begin(after: .zero, isInvited: true))
        #expect((0..<50).count { _ in begin(after: .milliseconds(500)) } == 10)
        #expect((0..<50).count { _ in begin(after: .seconds(60)) } == 20)
        // A clock that is read in another order changes nothing.
        #expect(!begin(after: .seconds(59)))
    }

    @Test("A session that ends while its begin is being stored does not begin again")
    func order() async throws {
        let folder = try ScratchFolder()
        let store = SessionStore(
            journal: SessionJournal(folder: folder.path, json: FoundationJSONCoder()), server: "s",
            logger: RecordingLogger())
        let sessions = Sessions(windowLimit: 20, hasLogin: true, store: store)
        guard case .begun(_, let begin) = sessions.begin(isInvited: true) else { throw ChildFailure("no session") }
        let end = sessions.end(nil, because: "")
        store.close()
        await store.run()
        // Both results are read only after both changes were stored.
        try await end.result()
        try await begin.result()
        #expect(try store.load().isEmpty)
    }

    @Test("Over the limit, sessions that never sent a form end first, however recently they were used")
    func forms() {
        let sessions = Self.sessions()
        let users = begin(2, in: sessions)
        for user in users { user.client.noteForm() }
        let others = begin(998, in: sessions, after: .seconds(10))
        #expect(others.count == 998 && sessions.all.count == 1_000)
        #expect(begin(1_500, in: sessions, after: .seconds(100)).count == 1_500)
        for user in users { #expect(sessions.session(user.cookie[...]) != nil) }
        #expect(sessions.session(others[0].cookie[...]) == nil && sessions.all.count == 1_000)
    }

    @Test("If all have sent a form, the least recently used one ends, unless a page shows it")
    func used() async throws {
        let sessions = Self.sessions()
        let all = begin(1_000, in: sessions)
        for session in all { session.client.noteForm() }
        _ = all[0].window(0)
        #expect(begin(1, in: sessions, after: .seconds(100)).count == 1)
        #expect(sessions.session(all[0].cookie[...]) != nil && sessions.session(all[1].cookie[...]) == nil)
    }
}

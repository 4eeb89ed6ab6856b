import Synchronization
import ViperKit

/// A session that has ended, for the readers of revocations.
struct EndedSession: Sendable {
    let revocation: Revocation
    /// The readers that have not handled the end yet share this object.
    fileprivate let handling: Handling

    /// Creates an ended session.
    ///
    /// - Parameter handled: A closure that is called when no reader uses this value any more.
    init(_ revocation: Revocation, handled: @escaping @Sendable () -> Void) {
        (self.revocation, handling) = (revocation, Handling(end: handled))
    }

    fileprivate final class Handling: Sendable {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }
}

/// A reader of the sessions that end. It has handled one when it asks for the next one, or when it is freed.
final class EndedSessionReader: Sendable {
    private let sessions: AsyncStream<EndedSession>
    private let last = Mutex<EndedSession.Handling?>(nil)

    init(_ sessions: AsyncStream<EndedSession>) { self.sessions = sessions }

    func next() async -> Revocation? {
        take(nil)
        for await session in sessions {
            take(session.handling)
            return session.revocation
        }
        return nil
    }

    /// Keeps an object in place of the last one, which is released after the lock.
    private func take(_ next: EndedSession.Handling?) {
        let before = last.withLock { last in
            defer { last = next }
            return last
        }
        withExtendedLifetime(before) {}
    }
}

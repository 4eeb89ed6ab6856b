import Synchronization
import ViperKit

/// A browser with its windows.
final class Session: Sendable {
    private struct State {
        var windows: [Int: TabWindow] = [:]
        /// The numbers of windows that were closed because newer ones were opened, in order.
        var displaced: [Int] = []
        /// The message of the window that closed last, such as "Saved". The next page shows it.
        var message: String?
        var lastUse = ContinuousClock.now
    }

    /// The value of the browser's cookie.
    let cookie: String
    /// The identity of the windows. It is another text than the cookie, because modules know it.
    let identity: String
    /// The text that each form carries.
    let token: String
    /// The client that holds what the session uses of the server.
    let client: Client
    /// The time when the session has begun, in seconds since 1970.
    let begun: Int
    /// True if the browser has logged in.
    let hasLoggedIn: Bool
    /// The browser's name for itself. It may be any text.
    let browser: String
    private let limit: Int
    private let state = Mutex(State())

    /// The maximum number of displaced windows to remember.
    private static let memory = 100

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of windows.
    ///   - hasLoggedIn: True if the browser has logged in.
    ///   - browser: The browser's name for itself.
    init(limit: Int, hasLoggedIn: Bool, browser: String?) {
        (cookie, identity, token, self.limit) = (Secret.make(), Secret.make(), Secret.make(), limit)
        client = Client()
        (begun, self.hasLoggedIn, self.browser) = (SavedSession.now, hasLoggedIn, String((browser ?? "").prefix(200)))
    }

    /// Creates a session from the saved state of an earlier version of this module.
    init(_ saved: SavedSession, limit: Int) {
        (cookie, identity, token, self.limit) = (saved.cookie, saved.identity, saved.token, limit)
        client = Client(hasSentForm: saved.hasSentForm ?? false)
        (begun, hasLoggedIn) = (saved.begun ?? SavedSession.now, saved.hasLoggedIn ?? false)
        browser = saved.browser ?? ""
    }

    var windows: [TabWindow] { state.withLock { Array($0.windows.values) } }
    var lastUse: ContinuousClock.Instant { state.withLock { $0.lastUse } }

    /// Returns the open window with this number. Nil if there is none.
    func window(_ number: Int) -> TabWindow? {
        state.withLock { state in
            state.lastUse = .now
            return state.windows[number]
        }
    }

    /// Returns true if a window was closed because a newer one was opened.
    func hasDisplaced(_ number: Int) -> Bool { state.withLock { $0.displaced.contains(number) } }

    /// Adds a window. If the session then has too many, closes one: first those that no page shows, then the least recently
    /// used one.
    ///
    /// - Parameter lease: The lease of the window. It ends when the window closes.
    func add(_ window: any OpenWindow, _ lease: Lease) -> TabWindow {
        let windows = windows
        var number = 0
        repeat { number = .random(in: 1...0x7fff_ffff) } while windows.contains { $0.number == number }
        let added = TabWindow(number, window, of: client, token: token)
        // The windows, in the order in which they are displaced.
        let open = windows.map { ($0, $0.isShown ? 1 : 0, $0.lastUse) }.sorted { ($0.1, $0.2) < ($1.1, $1.2) }
        let displaced = state.withLock { state -> TabWindow? in
            var displaced: TabWindow?
            if state.windows.count >= limit, let first = open.first(where: { state.windows[$0.0.number] === $0.0 }) {
                state.windows[first.0.number] = nil
                state.displaced = state.displaced.suffix(Self.memory - 1) + [first.0.number]
                displaced = first.0
            }
            state.windows[number] = added
            state.lastUse = .now
            return displaced
        }
        if let displaced { Task { await displaced.close(because: Self.displacement(limit)) } }
        watch(added, lease)
        return added
    }

    /// Adds a window that an earlier version of this module has left open.
    func add(_ saved: SavedWindow, _ window: any OpenWindow, _ lease: Lease) {
        let added = TabWindow(
            saved.number, window, of: client, token: token, version: saved.version, turns: saved.turns)
        state.withLock { $0.windows[saved.number] = added }
        watch(added, lease)
    }

    /// The reason for closing a window because a newer one was opened.
    static func displacement(_ limit: Int) -> String {
        "This window was closed, because more than \(limit) windows were open."
    }

    /// The reason, for a page that was opened again.
    var displacement: String { Self.displacement(limit) }

    private func watch(_ window: TabWindow, _ lease: Lease) {
        let number = window.number
        lease.setHolder(LeasedWindow(window))
        window.watch { [weak self, weak window] message in
            lease.end()
            self?.state.withLock { state in
                if state.windows[number] === window { state.windows[number] = nil }
                state.message = message
            }
        }
    }

    /// Returns the message of the window that closed last, once.
    func takeMessage() -> String? {
        state.withLock { state in
            defer { state.message = nil }
            return state.message
        }
    }

    /// Closes the windows that no page has used for a time.
    func closeUnused(after time: Duration) {
        for window in windows where !window.isShown && .now - window.lastUse > time {
            Task { await window.close(because: "This window was closed, because it was not used for a long time.") }
        }
    }

    /// True if the browser has to log in again.
    var isOver: Bool { hasLoggedIn && SavedSession.now - begun >= SavedSession.time }

    /// Returns the state from which the next version of this module continues the session.
    func saved(_ server: String, hasWindows: Bool) -> SavedSession {
        let seen = SavedSession.now - Int((ContinuousClock.now - lastUse) / .seconds(1))
        return SavedSession(
            cookie: cookie, identity: identity, token: token, windows: hasWindows ? windows.map(\.saved) : [],
            hasSentForm: client.hasSentForm, server: server, begun: begun, seen: seen, hasLoggedIn: hasLoggedIn,
            browser: browser)
    }
}

/// A window that its session can lose to another one. The pool of windows must not keep it open.
private final class LeasedWindow: LeaseHolder {
    private weak let window: TabWindow?

    init(_ window: TabWindow) { self.window = window }

    func lose() {
        guard let window else { return }
        Task {
            await window.close(because: "This window was closed, because too many windows of all browsers were open.")
        }
    }
}

import Glibc

/// A session, stored for the next version of this module and for the next start of the host.
struct SavedSession: Codable, Sendable, Equatable {
    var cookie: String
    var identity: String
    var token: String
    /// The windows that an earlier version of this module has left open.
    var windows: [SavedWindow]
    /// True if the browser has sent a form. Nil if an earlier version of this module has saved the session.
    var hasSentForm: Bool?
    /// The address at which the session's server listens. Nil in sessions that an earlier version has stored.
    var server: String?
    /// The times when the session has begun, and when it was last seen, in seconds since 1970.
    var begun: Int?
    var seen: Int?
    /// True if the browser has logged in.
    var hasLoggedIn: Bool?
    /// The browser's name for itself.
    var browser: String?

    /// The time after which a stored session that was not seen is forgotten, in seconds. A login ends after this time.
    static let time = 7 * 86_400

    /// The current time, in seconds since 1970.
    static var now: Int { Glibc.time(nil) }

    /// True if the session has not been seen for too long.
    var isForgotten: Bool { seen.map { Self.now - $0 >= Self.time } ?? false }
}

/// A window of a session.
struct SavedWindow: Codable, Sendable, Equatable {
    /// The number in addresses.
    var number: Int
    /// The number in the host.
    var window: Int
    var version: Int
    var turns: FormTurns
}

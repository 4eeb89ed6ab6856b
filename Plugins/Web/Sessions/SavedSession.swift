/// A session, stored for the next version of this module.
struct SavedSession: Codable, Sendable {
    var cookie: String
    var identity: String
    var token: String
    var windows: [SavedWindow]
    /// True if the browser has sent a form. Nil if an earlier version of this module has saved the session.
    var hasSentForm: Bool?
}

/// A window of a session.
struct SavedWindow: Codable, Sendable {
    /// The number in addresses.
    var number: Int
    /// The number in the host.
    var window: Int
    var version: Int
    var turns: FormTurns
}

import ViperKit

/// `open`: opens a route in a window of its own.
struct OpenCall: Codable, Sendable {
    var route: String
    /// Each a scalar of the parameter's type, or a text as a person types it.
    var parameters: [String: JSONValue]?
    /// Whether the client navigates: then the window has one scene only, and its work begins with `load`.
    var navigates: Bool?
}

/// `load` and `close`: begins a scene's work, or ends the scene.
struct SceneCall: Codable, Sendable {
    var scene: Int
}

/// `send`: hands an event to a scene.
struct SendCall: Codable, Sendable {
    var scene: Int
    var event: SceneEvent
}

/// What a scene shows: the answer to `open`, `load` and `send`, and the notification `screen`.
struct SceneState: Codable, Sendable, Equatable {
    var scene: Int
    var screen: Screen
    /// Grows with each screen. Answers and notifications may overtake each other; the greatest is the newest.
    var revision: Int
    /// Whether the scene has ended. The screen is then its last one.
    var closed: Bool
}

/// The notification `closed`: a scene has ended, and not because the client wanted it.
struct ClosedNotification: Codable, Sendable {
    var scene: Int
    /// Why, if it did not end as it should.
    var error: ViperError?
}

/// `navigate`, from host to client: a scene opens a route.
struct NavigateCall: Codable, Sendable {
    var scene: Int
    var route: String
    var parameters: [String: JSONValue]
    var transition: String
}

/// `finish`, from host to client: a scene wants to be closed.
struct FinishCall: Codable, Sendable {
    var scene: Int
    /// What the scene below hears; without it that one hears nothing.
    var result: JSONValue?
}

/// `subscribe` and `unsubscribe`.
struct SubscribeCall: Codable, Sendable {
    enum Topic: String, NamedCase, Sendable {
        case registry, screens
        static var noun: String { "topic" }
    }

    var to: [Topic]
}

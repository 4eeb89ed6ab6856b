import ViperKit

/// `open`: opens a route in a window of its own.
struct OpenCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case route, parameters, navigates }

    var route: String
    /// Each a scalar of the parameter's type, or a text as a person types it.
    var parameters: [String: JSONValue]?
    /// Whether the client navigates: then the window has one scene only, and its work begins with `load`.
    var navigates: Bool?
}

/// `load` and `close`: begins a scene's work, or ends the scene.
struct SceneCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case scene }

    var scene: Int
}

/// `send`: hands an event to a scene.
struct SendCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case scene, event }

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
    /// The last screen. Nil if it is longer than the client may leave unread.
    var last: SceneState?
    /// Why, if it did not end as it should.
    var error: ViperError?
}

/// `navigate`, from host to client: a scene opens a route.
struct NavigateCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case scene, route, parameters, transition }

    var scene: Int
    var route: String
    var parameters: [String: JSONValue]
    var transition: String
}

/// `finish`, from host to client: a scene wants to be closed.
struct FinishCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case scene, last, result }

    var scene: Int
    /// The screen at this moment, which is the last one that the client shows: after the answer the scene is closed. Nil if it is
    /// longer than the client may leave unread.
    var last: SceneState?
    /// What the scene below hears; without it that one hears nothing.
    var result: JSONValue?
}

/// `subscribe` and `unsubscribe`.
struct SubscribeCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case to }

    enum Topic: String, NamedCase, Sendable {
        case registry, screens
        static var noun: String { "topic" }
    }

    var to: [Topic]
}

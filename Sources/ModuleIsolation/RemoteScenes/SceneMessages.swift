package import HostSystem
import JSONRPC
package import ViperKit

/// `open`: opens a route in a window of its own.
package struct OpenCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case route, parameters, navigates }

    package var route: String
    /// Each a scalar of the parameter's type, or a text as a person types it.
    package var parameters: [String: JSONValue]?
    /// Whether the client navigates: then the window has one scene only, and its work begins with `load`.
    package var navigates: Bool?
}

/// `load` and `close`: begins a scene's work, or ends the scene.
package struct SceneCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene }

    package var scene: Int
}

/// `send`: hands an event to a scene.
package struct SendCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene, event }

    package var scene: Int
    package var event: SceneEvent
}

/// What a scene shows: the answer to `open`, `load` and `send`, and the notification `screen`.
package struct SceneState: Codable, Sendable, Equatable {
    package var scene: Int
    package var screen: Screen
    /// Grows with each screen. Answers and notifications may overtake each other; the greatest is the newest.
    package var revision: Int
    /// Whether the scene has ended. The screen is then its last one.
    package var closed: Bool

    package init(scene: Int, screen: Screen, revision: Int, closed: Bool) {
        (self.scene, self.screen, self.revision, self.closed) = (scene, screen, revision, closed)
    }
}

/// The notification `closed`: a scene has ended, and not because the client wanted it.
package struct ClosedNotification: Codable, Sendable {
    package var scene: Int
    /// The last screen. Nil if it is longer than the client may leave unread.
    package var last: SceneState?
    /// Why, if it did not end as it should.
    package var error: ViperError?

    package init(scene: Int, last: SceneState? = nil, error: ViperError? = nil) {
        (self.scene, self.last, self.error) = (scene, last, error)
    }
}

/// `navigate`, from host to client: a scene opens a route.
package struct NavigateCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene, route, parameters, transition }

    package var scene: Int
    package var route: String
    package var parameters: [String: JSONValue]
    package var transition: String

    package init(scene: Int, route: String, parameters: [String: JSONValue], transition: String) {
        (self.scene, self.route, self.parameters, self.transition) = (scene, route, parameters, transition)
    }
}

/// `finish`, from host to client: a scene wants to be closed.
package struct FinishCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene, last, result }

    package var scene: Int
    /// The screen at this moment, which is the last one that the client shows: after the answer the scene is closed. Nil if it is
    /// longer than the client may leave unread.
    package var last: SceneState?
    /// What the scene below hears; without it that one hears nothing.
    package var result: JSONValue?

    package init(scene: Int, last: SceneState? = nil, result: JSONValue? = nil) {
        (self.scene, self.last, self.result) = (scene, last, result)
    }
}

/// `subscribe` and `unsubscribe`.
package struct SubscribeCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case to }

    package enum Topic: String, NamedCase, Sendable {
        case registry, screens
        package static var noun: String { "topic" }
    }

    package var to: [Topic]
}

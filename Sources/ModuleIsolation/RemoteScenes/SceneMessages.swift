package import HostSystem
import JSONRPC
package import ModuleRuntime
package import ViperKit

package struct OpenCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case route, parameters, navigates, identity }

    package var route: String
    /// The parameter values. Each value has the parameter's type, or is a string that can be converted to that type.
    package var parameters: [String: JSONValue]?
    /// True if the client handles navigation. The window then has a single scene, which starts when the client calls
    /// `load`.
    package var navigates: Bool?
    /// The identity of the scene's window. Nil if the client does not tell users apart.
    package var identity: String?
}

/// The parameters of `load`, which starts a scene, and of `close`, which closes a scene.
package struct SceneCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene }

    package var scene: Int
}

package struct EventCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene, event }

    package var scene: Int
    package var event: SceneEvent
}

/// The state of a scene. It is the result of `open`, `load` and `event`, and the parameters of the notification
/// `screen`.
package struct SceneState: Codable, Sendable, Equatable {
    var scene: Int
    var screen: Screen
    /// The revision of the state, which increases with each state. Responses and notifications may arrive out of
    /// order. The highest revision is the newest.
    package var revision: Int
    /// True if the scene has ended. The screen is then the scene's last screen.
    package var closed: Bool

    init(scene: Int, screen: Screen, revision: Int, closed: Bool) {
        (self.scene, self.screen, self.revision, self.closed) = (scene, screen, revision, closed)
    }

    package init(_ number: Int, _ state: ClientWindow.State) {
        self.init(scene: number, screen: state.screen, revision: state.revision, closed: state.isClosed)
    }
}

extension SceneState: Payload {
    package var isShort: Bool {
        screen.sections.reduce(0) { $0 + $1.rows.count } <= 32 && (screen.text?.utf8.count ?? 0) <= 4096
    }
}

/// The parameters of the notification `closed`. The host sends this notification when a scene ends without a request
/// from the client.
package struct ClosedNotification: Codable, Sendable {
    var scene: Int
    /// The scene's final state. Nil if including it would exceed the `pending` limit.
    package var last: SceneState?
    /// The error that ended the scene. Nil if the scene ended without an error.
    var error: ViperError?

    package init(scene: Int, last: SceneState? = nil, error: ViperError? = nil) {
        (self.scene, self.last, self.error) = (scene, last, error)
    }
}

/// The parameters of `navigate`, which the host calls when a scene opens a route.
package struct NavigateCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene, route, parameters, transition }

    var scene: Int
    var route: String
    var parameters: [String: JSONValue]
    var transition: String

    package init(scene: Int, route: String, parameters: [String: JSONValue], transition: String) {
        (self.scene, self.route, self.parameters, self.transition) = (scene, route, parameters, transition)
    }
}

/// The parameters of `finish`, which the host calls when a scene asks to be closed.
package struct FinishCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case scene, last, result }

    var scene: Int
    /// The screen to show until the scene is closed. Nil if the screen exceeds the `pending` limit.
    package var last: SceneState?
    /// The result for the scene below. Nil if that scene receives no event.
    var result: JSONValue?

    package init(scene: Int, last: SceneState? = nil, result: JSONValue? = nil) {
        (self.scene, self.last, self.result) = (scene, last, result)
    }
}

package struct SubscribeCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case to }

    package enum Topic: String, NamedCase, Sendable {
        case registry, screens
        package static var noun: String { "topic" }
    }

    package var to: [Topic]
}

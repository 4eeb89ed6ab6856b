import HostSystem
import JSONRPC
import ModuleRuntime
package import ViperKit

/// The JSON form of an event: `{"press":"add"}`, `{"select":"3"}`, `{"fill":"name","text":"Ada"}`, or
/// `{"returned":"people/add","result":…}`.
package struct SceneEvent: Codable, Sendable, Equatable {
    private var press: String?
    private var select: String?
    private var fill: String?
    private var text: String?
    private var returned: String?
    private var result: JSONValue?

    /// - Throws: ``ViperError/Code/eventUnknown`` for a case that the protocol lacks.
    init(_ event: Event) throws(ViperError) {
        switch event {
        case .fill(let field, let text): (fill, self.text) = (field, text)
        case .press(let action): press = action
        case .select(let row): select = row
        case .returned(let route, let result): (returned, self.result) = (route, try JSONValue(result))
        @unknown default:
            throw ViperError(.eventUnknown, "cannot send event", "\(event)", cause: "the protocol does not support it")
        }
    }

    /// - Throws: ``ViperError/Code/argumentsInvalid`` unless exactly one of the four forms is given.
    package func event() throws(ViperError) -> Event {
        let isEmpty = text == nil && result == nil
        switch (press, select, fill, returned) {
        case (let action?, nil, nil, nil) where isEmpty: return .press(action: action)
        case (nil, let row?, nil, nil) where isEmpty: return .select(row: row)
        case (nil, nil, let field?, nil) where result == nil:
            if let text { return .fill(field: field, text: text) }
        case (nil, nil, nil, let route?) where text == nil:
            return .returned(from: route, result: try (result ?? .null).sceneResult())
        default: break
        }
        throw ViperError(
            .argumentsInvalid, "cannot read", "event", cause: "it has none of the known forms",
            recoverySuggestion: #"write {"press":ACTION}, {"select":ROW} or {"fill":FIELD,"text":TEXT}"#)
    }
}

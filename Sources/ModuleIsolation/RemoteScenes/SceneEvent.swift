import HostSystem
import JSONRPC
import ModuleRuntime
package import ViperKit

/// The JSON form of an event: `{"press":"add"}`, `{"select":"3"}`, `{"act":"delete","row":"3"}`,
/// `{"fill":"name","text":"Ada"}`, or `{"returned":"people/add","result":…}`.
///
/// If one of these forms contains unknown members, they are ignored, because a later version may add members that only
/// refine an event. An event with a different meaning has its own form.
package struct SceneEvent: Sendable, Equatable {
    private var press: String?
    private var select: String?
    private var act: String?
    private var row: String?
    private var fill: String?
    private var text: String?
    private var returned: String?
    private var result: JSONValue?
    /// The unknown member names of an event whose form is unknown.
    private var unknown: [String] = []

    /// Creates an event's JSON form.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` if the protocol has no form for the event.
    init(_ event: Event) throws(ViperError) {
        switch event {
        case .fill(let field, let text): (fill, self.text) = (field, text)
        case .press(let action): press = action
        case .select(let row): select = row
        case .act(let row, let action): (act, self.row) = (action, row)
        case .returned(let route, let result): (returned, self.result) = (route, try JSONValue(result))
        @unknown default:
            // The description is omitted, because it may contain a secret.
            throw ViperError(
                .eventUnknown, operation: "cannot send", subject: "event", cause: "this version has no form for it",
                notes: [Self.known])
        }
    }

    private static var known: ViperError.Note { .init("known", forms.map(\.stringValue).joined(separator: ", ")) }

    /// Returns the event that this form describes.
    ///
    /// - Throws: ``ViperError/Code/eventUnknown`` if the form is unknown, or ``ViperError/Code/argumentsInvalid`` if
    ///   the members do not match exactly one of the five forms.
    package func event() throws(ViperError) -> Event {
        if !unknown.isEmpty {
            throw ViperError(
                .eventUnknown, operation: "cannot read event", subject: unknown.joined(separator: ", "),
                cause: "this version has no such event",
                notes: [Self.known], fix: Self.usage)
        }
        switch (press, select, act, fill, returned, row, text, result) {
        case (let action?, nil, nil, nil, nil, nil, nil, nil): return .press(action: action)
        case (nil, let row?, nil, nil, nil, nil, nil, nil): return .select(row: row)
        case (nil, nil, let action?, nil, nil, let row?, nil, nil): return .act(row: row, action: action)
        case (nil, nil, nil, let field?, nil, nil, let text?, nil): return .fill(field: field, text: text)
        case (nil, nil, nil, nil, let route?, nil, nil, let result):
            return .returned(from: route, result: try (result ?? .null).sceneResult())
        default: break
        }
        throw ViperError(
            .argumentsInvalid, operation: "cannot read", subject: "event",
            cause: "expected exactly one of press, select, act with row, fill with text, and returned",
            fix: Self.usage)
    }

    private static let usage =
        #"write {"press":ACTION}, {"select":ROW}, {"act":ACTION,"row":ROW} or {"fill":FIELD,"text":TEXT}"#
}

extension SceneEvent: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case press, select, act, row, fill, text, returned, result
    }

    /// The members that identify the form of an event.
    private static let forms: [CodingKeys] = [.press, .select, .act, .fill, .returned]

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard Self.forms.contains(where: values.contains) else {
            let known = Set(CodingKeys.allCases.map(\.stringValue))
            unknown = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
                .filter { !known.contains($0) }.sorted()
            return
        }
        press = try values.decodeIfPresent(String.self, forKey: .press)
        select = try values.decodeIfPresent(String.self, forKey: .select)
        act = try values.decodeIfPresent(String.self, forKey: .act)
        row = try values.decodeIfPresent(String.self, forKey: .row)
        fill = try values.decodeIfPresent(String.self, forKey: .fill)
        text = try values.decodeIfPresent(String.self, forKey: .text)
        returned = try values.decodeIfPresent(String.self, forKey: .returned)
        result = try values.decodeIfPresent(JSONValue.self, forKey: .result)
    }
}

import ViperKit

/// The events that a command performs on its screen, in order.
struct SceneEvents: Sendable {
    var all: [Event] = []

    static let options: [Option<SceneEvents>] = [
        Option("--fill", pair: "FIELD=TEXT", summary: "Write text into a field") {
            $0.all.append(.fill(field: $1, text: $2))
        },
        Option("--press", value: "ACTION", summary: "Press an action", isRepeatable: true) {
            $0.all.append(.press(action: $1))
        },
        Option("--act", pair: "ROW=ACTION", summary: "Press an action of a row") {
            $0.all.append(.act(row: $1, action: $2))
        },
        Option("--select", value: "ROW", summary: "Select a row", isRepeatable: true) {
            $0.all.append(.select(row: $1))
        },
    ]
}

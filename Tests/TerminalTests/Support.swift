import ViperKit

@testable import Terminal

extension Model {
    /// Creates a model of a window with one scene, or with scenes of these routes.
    init(_ screen: Screen, routes: [String] = ["test"], rows: Int = 12, columns: Int = 40) {
        self.init(.test(screen, routes: routes), Size(rows: rows, columns: columns))
    }

    /// The frame as text.
    var shown: String { draw().text }
    /// The lines of the content that is not empty.
    var content: [String] { shown.split(separator: "\n").map(String.init) }
    /// The line with the focus.
    var focusedLine: String? { shown.split(separator: "\n").first { $0.hasPrefix("›") }.map(String.init) }

    @discardableResult
    mutating func type(_ keys: Key...) -> [Effect] { keys.flatMap { handle($0) } }

    /// Executes an effect without an error.
    mutating func finish(_ effect: Effect) {
        begin(effect)
        end(effect, nil)
    }

    /// Types each character of a text.
    @discardableResult
    mutating func type(text: String) -> [Effect] { text.flatMap { handle(.text($0)) } }

    /// Shows another scene of the same route.
    mutating func showNext(_ screen: Screen) {
        var next = WindowState.test(screen)
        next.scenes[0].id += 1
        update(next)
    }

    mutating func show(_ screen: Screen, routes: [String] = ["test"]) { update(.test(screen, routes: routes)) }
}

extension Frame {
    /// The texts of the lines without trailing spaces.
    var text: String {
        lines.map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }.joined(separator: "\n")
    }
}

extension WindowState {
    static func test(_ screen: Screen, routes: [String] = ["test"]) -> WindowState {
        let scenes = routes.enumerated().map { place, route in
            var scene = OpenScene(route: route, title: route == routes.last ? screen.title : route, transition: .push)
            // Another route is another scene.
            scene.id = route.utf8.reduce(place) { 31 &* $0 &+ Int($1) }
            return scene
        }
        return WindowState(screen: screen, scenes: scenes, error: nil)
    }
}

extension Screen {
    init(title: String = "Test", rows: [Row]) {
        self.init(title: title)
        sections = [Section(rows: rows)]
    }

    init(title: String = "Test", fields: [Field], actions: [Action] = []) {
        self.init(title: title)
        form = Form(fields: fields)
        self.actions = actions
    }

    /// A screen with numbered rows.
    static func rows(_ count: Int) -> Screen { Screen(rows: (0..<count).map { Row(id: "\($0)", title: "Row \($0)") }) }
}

extension Field {
    static func text(_ id: String, _ value: String = "") -> Field {
        Field(id: id, label: id.capitalized, value: value, kind: .text)
    }
}

extension String {
    var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

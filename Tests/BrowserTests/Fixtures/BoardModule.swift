import HostDriver

/// A module with a list that all its scenes share, and a form.
enum BoardModule {
    static let manifest = ManifestText("board", library: "libBoard.so", routes: ["board", "board/line"])

    /// - Parameter title: The title of the screen, which tells versions of the module apart.
    static func fixture(_ title: String) -> ModuleFixture {
        ModuleFixture(
            "Board",
            """
            import Observation
            import ViperKit

            @c(viper_entry_v1_Board)
            public func boardModule() -> UnsafeRawPointer { ModuleEntry.export(Board.self) }

            @MainActor @Observable
            final class Wall {
                static let shared = Wall()
                var lines: [String] = []
            }

            final class Board: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<Board>) {
                    registrar.route("board") { _, request in BoardView(request.navigator) }
                    registrar.route("board/line") { _, _ in LineView() }
                }
            }

            final class LineView: View { let screen = Screen(title: "Line") }

            @Observable
            final class BoardView: View {
                private let navigator: any Navigator
                private var (text, notes, isLoud, size) = ("", "", "false", "s")
                private var error: String?
                init(_ navigator: any Navigator) { self.navigator = navigator }

                var screen: Screen {
                    var screen = Screen(title: "\(title)")
                    screen.sections = [Section(title: "Lines", rows: Wall.shared.lines.enumerated().map { number, line in
                        var row = Row(id: number, title: line)
                        row.actions = [Action(id: "drop", title: "Drop")]
                        return row
                    })]
                    var line = Field(id: "line", label: "Line", value: text, kind: .text)
                    line.error = error
                    var kind = Field(id: "size", label: "Size", value: size, kind: .choice)
                    kind.options = [.init(id: "s", title: "Small"), .init(id: "l", title: "Large")]
                    screen.form = Form(fields: [
                        line, Field(id: "notes", label: "Notes", value: notes, kind: .multiline),
                        Field(id: "loud", label: "Loud", value: isLoud, kind: .toggle), kind,
                    ])
                    var add = Action(id: "add", title: "Add")
                    add.role = .default
                    add.key = "a"
                    screen.actions = [add]
                    return screen
                }

                func handle(_ event: Event) async {
                    switch event {
                    case .fill("line", let new):
                        text = new
                        error = new.contains("!") ? "must not shout" : nil
                    case .fill("notes", let new): notes = new
                    case .fill("loud", let new): isLoud = new
                    case .fill("size", let new): size = new
                    case .press:
                        Wall.shared.lines.append(isLoud == "true" ? text.uppercased() : text + size + notes)
                        (text, notes) = ("", "")
                    case .act(let row, _): Wall.shared.lines.remove(at: Int(row) ?? 0)
                    case .select: try? await navigator.open("board/line", parameters: [:], as: .push)
                    default: break
                    }
                }
            }
            """)
    }

    /// Adds a line to the board that a client has opened as its first scene.
    static func add(_ line: String, in client: TestClient) async throws {
        for event in [#"{"fill":"line","text":"\#(line)"}"#, #"{"press":"add"}"#] {
            let answer = try await client.call("event", #"{"scene":1,"event":\#(event)}"#)
            if answer.contains(#""error":{"#) { throw ChildFailure(answer) }
        }
    }
}

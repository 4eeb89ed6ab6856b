extension ModuleFixture {
    /// A module with a board that all its scenes show. The first text of a screen is the number of additions, followed by
    /// the events that the scene has received.
    package static func board(_ version: String = "1") -> Self {
        ModuleFixture(
            "Board",
            """
            import Observation
            import ViperKit

            @c(viper_entry_v1_Board)
            public func boardModule() -> UnsafeRawPointer { ModuleEntry.export(BoardModule.self) }

            @Observable @MainActor final class Model { var count = 0 }

            final class BoardModule: Module {
                let model = Model()
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<BoardModule>) {
                    for route in ["board", "board/more"] {
                        registrar.route(route) { module, request in
                            BoardView(module.model, request.route, request.navigator)
                        }
                    }
                }
            }

            @Observable @MainActor final class BoardView: View {
                let model: Model
                let title: String
                let navigator: any Navigator
                var values = ["name": "", "text": "a\\nb", "on": "false", "tags": "", "secret": ""]
                var log: [String] = []
                var message: String?

                init(_ model: Model, _ route: String, _ navigator: any Navigator) {
                    (self.model, title, self.navigator) = (model, route, navigator)
                }

                var screen: Screen {
                    var screen = Screen(title: "\(version) \\(title)")
                    screen.text = "\\(model.count) " + log.joined(separator: ";")
                    screen.message = message
                    screen.image = Screen.Image(path: "dot.png", alternative: "A dot")
                    func field(_ id: String, _ kind: Field.Kind) -> Field {
                        Field(id: id, label: id, value: values[id] ?? "", kind: kind)
                    }
                    var tags = field("tags", .choices)
                    tags.options = ["red", "green", "blue"].map { Field.Option(id: $0, title: $0) }
                    screen.form = Form(fields: [
                        field("name", .text), field("text", .multiline), field("on", .toggle), tags,
                        field("secret", .password),
                    ])
                    screen.actions = ["add", "more", "replace", "close", "hang", "many"].map { Action(id: $0, title: $0) }
                    var row = Row(id: "row", title: "<b>Row & \\"quotes\\"</b>")
                    row.actions = [Action(id: "mark", title: "Mark")]
                    screen.sections = [Section(rows: [row])]
                    if values["name"] == "big" {
                        screen.sections.append(Section(rows: (0..<10_000).map { Row(id: $0, title: "Row number \\($0)") }))
                    }
                    return screen
                }

                func handle(_ event: Event) async {
                    switch event {
                    case .fill(let field, let text):
                        values[field] = text
                        log.append("\\(field)=\\(text.replacing("\\n", with: "|"))")
                        // It goes on when another session has added something.
                        while text == "slow", model.count == 0 { try? await Task.sleep(for: .milliseconds(5)) }
                    case .press("add"):
                        model.count += 1
                        log.append("add")
                    case .press("more"): try? await navigator.open("board/more", as: .push)
                    case .press("replace"): try? await navigator.open("board/more", as: .replace)
                    case .press("close"):
                        message = "Closed \\(title)"
                        await navigator.close()
                    case .press("hang"): try? await Task.sleep(for: .seconds(100_000))
                    case .press("many"):
                        for _ in 0..<100 {
                            model.count += 1
                            await Task.yield()
                        }
                    case .select(let row): log.append("select \\(row)")
                    case .act(let row, let action): log.append("\\(action) \\(row)")
                    default: break
                    }
                }
            }
            """)
    }
}

extension ManifestText {
    package static var board: Self { ManifestText("board", library: "libBoard.so", routes: ["board", "board/more"]) }
}

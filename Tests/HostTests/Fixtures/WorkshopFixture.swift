import HostDriver

extension ModuleFixture {
    /// A valid module that is not part of the package. It shows its parameters, has a form, and shows wide characters.
    static let workshop = ModuleFixture(
        "WorkerPreparer",
        """
        import Observation
        import ViperKit

        @c(viper_entry_v1_Workshop)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(WorkerPreparer.self) }

        final class WorkerPreparer: Module {
            init(services: any ServiceResolver) {}

            static func register(with registrar: Registrar<WorkerPreparer>) {
                for route in ["workshop/greet", "workshop/form", "workshop/wide", "shared"] {
                    registrar.route(route) { module, request in try module.view(for: request) }
                }
            }

            func view(for request: RouteRequest) throws -> any View {
                switch request.route {
                case "workshop/form": FormView(navigator: request.navigator)
                case "workshop/wide": PlainView(.wide)
                default: PlainView(try .greeting(request))
                }
            }
        }

        final class PlainView: View {
            let screen: Screen
            init(_ screen: Screen) { self.screen = screen }
        }

        extension Screen {
            static func greeting(_ request: RouteRequest) throws -> Screen {
                var screen = Screen(title: "Hello")
                let height = try request.parameter("height", as: Double?.self)
                screen.text = \"\"\"
                    who \\(try request.parameter("who", as: String.self))
                    times \\(try request.parameter("times", as: Int.self) * 2)
                    loud \\(try !request.parameter("loud", as: Bool.self))
                    height \\(height.map { "\\($0 / 2)" } ?? "unknown")
                    \"\"\"
                return screen
            }

            static var wide: Screen {
                var screen = Screen(title: "Widths")
                let titles = ["plain", "王美玲", "e\\u{301}te\\u{301}", "é", "🍎", "a\\u{1B}[31m"]
                screen.sections = [
                    Section(title: "日本", rows: titles.map { Row(id: $0, title: $0, detail: "|") })
                ]
                return screen
            }
        }

        @Observable
        final class FormView: View {
            private(set) var screen = Screen(title: "Form")
            private let navigator: any Navigator
            private var seen: [String] = []

            init(navigator: any Navigator) {
                self.navigator = navigator
                screen.form = Form(fields: [
                    Field(id: "item", label: "Item", value: "", kind: .text),
                    Field(id: "amount", label: "名 Amount", value: "1", kind: .number),
                ])
                screen.actions = [Action(id: "add", title: "Add it"), Action(id: "leave", title: "Leave")]
            }

            func handle(_ event: Event) async {
                await Task.yield()
                switch event {
                case .fill(let field, let text):
                    for index in screen.form?.fields.indices ?? 0..<0 where screen.form?.fields[index].id == field {
                        screen.form?.fields[index].value = text
                        let isWrong = field == "amount" && Int(text) == nil
                        screen.form?.fields[index].error = isWrong ? "is no number" : nil
                    }
                    seen.append("fill \\(field)")
                case .press("add"):
                    let fields = screen.form?.fields.map(\\.value) ?? []
                    screen.sections = [
                        Section(title: "Added", rows: [Row(id: "added", title: fields[0], detail: fields[1])])
                    ]
                    seen.append("press add")
                case .press: await navigator.close()
                case .select(let row): seen.append("select \\(row)")
                @unknown default: break
                }
                screen.text = seen.joined(separator: ", ")
            }
        }
        """)
}

extension ManifestText {
    /// A manifest with every parameter type.
    static var workshop: ManifestText {
        ManifestText(
            "workshop", library: "libWorkshop.so",
            routes: [
                """
                {
                  "name": "workshop/greet", "summary": "Greets somebody",
                  "parameters": [
                    { "name": "who", "type": "string", "summary": "Whom" },
                    { "name": "times", "type": "integer", "default": 1, "summary": "How often" },
                    { "name": "loud", "type": "boolean", "default": false, "summary": "Whether to shout" },
                    { "name": "height", "type": "number", "default": null, "summary": "In metres" }
                  ]
                }
                """, "workshop/form", "workshop/wide",
            ])
    }
}

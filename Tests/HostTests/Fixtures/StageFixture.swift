import HostDriver

extension ModuleFixture {
    /// A module for sessions. On `stage`, `insert` adds a row and `change` a text after the response; each then creates a
    /// file named like the action in the folder `STAGE`. `crash` ends the process by a signal, and `exit` by a call. The text
    /// of `stage/form` changes all the time. `stage/many` has 100,000 rows, and `stage/wide` characters of two columns.
    static let stage = ModuleFixture(
        "Stage",
        """
        import Glibc
        import Observation
        import ViperKit

        @c(viper_entry_v1_Stage)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Stage.self) }

        final class Stage: Module {
            private let logger: any Logger
            init(services: any ServiceResolver) throws { logger = try services.resolve(.logger) }
            static func register(with registrar: Registrar<Stage>) {
                registrar.route("stage") { module, _ in StageView(module.logger) }
                registrar.route("stage/form") { _, _ in FormView() }
                registrar.route("stage/many") { _, _ in ManyView() }
                registrar.route("stage/wide") { _, _ in WideView() }
            }
        }

        @Observable
        final class StageView: View {
            private(set) var screen = Screen(title: "Stage")
            @ObservationIgnored private let logger: any Logger

            init(_ logger: any Logger) {
                self.logger = logger
                screen.sections = [Section(rows: [Row(id: "first", title: "First"), Row(id: "second", title: "Second")])]
                screen.sections[0].rows[1].tone = .danger
                screen.actions = ["insert", "change", "crash", "exit", "log"].map { Action(id: $0, title: $0) }
            }

            func handle(_ event: Event) async {
                switch event {
                case .select(let row): screen.text = "selected \\(row)"
                case .press("insert"): later("insert") { $0.sections[0].rows.insert(Row(id: "new", title: "Inserted"), at: 0) }
                case .press("change"): later("change") { $0.text = "now" }
                case .press("crash"): abort()
                case .press("exit"): exit(7)
                case .press("log"): logger.log(.warning, "a line of the log")
                default: break
                }
            }

            private func later(_ name: String, _ change: @escaping (inout Screen) -> Void) {
                Task {
                    try? await Task.sleep(for: .milliseconds(50))
                    change(&screen)
                    if let folder = getenv("STAGE") { close(open(String(cString: folder) + "/" + name, O_CREAT, 0o600)) }
                }
            }
        }

        @Observable
        final class FormView: View {
            private(set) var screen = Screen(title: "Form")

            init() {
                screen.form = Form(fields: [
                    Field(id: "name", label: "Name", value: "", kind: .text),
                    Field(id: "note", label: "Note", value: "", kind: .multiline),
                ])
            }

            func load() async {
                Task { [weak self] in
                    var number = 0
                    while let self {
                        number += 1
                        self.screen.text = "tick \\(number)"
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
            }

            func handle(_ event: Event) async {
                guard case .fill(let field, let text) = event else { return }
                for index in screen.form?.fields.indices ?? 0..<0 where screen.form?.fields[index].id == field {
                    screen.form?.fields[index].value = text
                }
                screen.message = "filled \\(field)"
            }
        }

        final class ManyView: View {
            let screen: Screen
            init() {
                var screen = Screen(title: "Many")
                screen.sections = [
                    Section(rows: (1...100_000).map { Row(id: "\\($0)", title: "Row \\($0)", detail: "\\($0 * 7)") })
                ]
                self.screen = screen
            }
        }

        final class WideView: View {
            let screen: Screen
            init() {
                var screen = Screen(title: "\u{540D}\u{524D}")
                screen.sections = [
                    Section(rows: [
                        Row(id: "1", title: "\u{540D}\u{524D}", detail: "one"),
                        Row(id: "2", title: "e\\u{301}te\\u{301}", detail: "two"),
                        Row(id: "3", title: "\\u{1B}[31m\\u{202E}x", detail: "three"),
                    ])
                ]
                self.screen = screen
            }
        }
        """)
}

extension ManifestText {
    static var stage: ManifestText {
        var manifest = ManifestText(
            "stage", library: "libStage.so", routes: ["stage", "stage/form", "stage/many", "stage/wide"])
        manifest.requires = ["logger"]
        return manifest
    }
}

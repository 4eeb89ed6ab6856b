import HostDriver

extension ModuleFixture {
    /// A module whose form asks for a user name and a password, and shows the length of the password.
    ///
    /// If the variable GATE names a pipe, the module blocks the main actor once a process opens the pipe for writing.
    /// If GONE does, the module removes the form then, and creates a file with the suffix `.done`.
    static let gate = ModuleFixture(
        "Gate",
        """
        import Glibc
        import Observation
        import ViperKit

        @c(viper_entry_v1_Gate)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Gate.self) }

        final class Gate: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Gate>) {
                registrar.route("gate") { _, _ in GateView() }
            }
        }

        @Observable
        final class GateView: View {
            private(set) var screen = Screen(title: "Gate")

            init() {
                screen.form = Form(fields: [
                    Field(id: "user", label: "User", value: "", kind: .text),
                    Field(id: "password", label: "Password", value: "", kind: .password),
                ])
                screen.actions = [Action(id: "enter", title: "Enter")]
            }

            func load() async {
                if let path = getenv("GONE").map({ String(cString: $0) }) {
                    Task.detached {
                        close(open(path, O_RDONLY))
                        await MainActor.run { self.screen.form = nil }
                        close(creat(path + ".done", 0o600))
                    }
                }
                guard let path = getenv("GATE").map({ String(cString: $0) }) else { return }
                Task.detached {
                    close(open(path, O_RDONLY))
                    await MainActor.run { while true { pause() } }
                }
            }

            func handle(_ event: Event) async {
                switch event {
                case .fill(let field, let text):
                    for index in screen.form?.fields.indices ?? 0..<0 where screen.form?.fields[index].id == field {
                        screen.form?.fields[index].value = text
                        let isShort = field == "password" && text.count < 3
                        screen.form?.fields[index].error = isShort ? "is too short" : nil
                    }
                default:
                    let count = screen.form?.fields[1].value.count ?? 0
                    screen.text = "\\(screen.form?.fields[0].value ?? ""), \\(count) characters"
                    screen.form?.fields[1].value = ""
                }
            }
        }
        """)
}

extension ManifestText {
    static var gate: ManifestText { ManifestText("gate", library: "libGate.so", routes: ["gate"]) }
}

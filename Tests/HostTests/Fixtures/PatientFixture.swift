import HostDriver

extension ModuleFixture {
    /// A module whose scene is slow: `forever` waits 1,000 seconds, and `later` changes the screen after the response.
    /// It logs when it stops. With `PATIENT` in the environment, stopping takes 1,000 seconds.
    static let patient = ModuleFixture(
        "Patient",
        """
        import Glibc
        import Observation
        import ViperKit

        @c(viper_entry_v1_Patient)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Patient.self) }

        final class Patient: Module {
            private let logger: any Logger
            init(services: any ServiceResolver) throws { logger = try services.resolve(.logger) }
            static func register(with registrar: Registrar<Patient>) {
                registrar.route("patient") { _, _ in PatientView() }
            }
            func stop() async {
                logger.log(.error, "stopped")
                if getenv("PATIENT") != nil { try? await Task.sleep(for: .seconds(1000)) }
            }
        }

        @Observable
        final class PatientView: View {
            private(set) var screen = Screen(title: "Patient")

            init() {
                screen.actions = [Action(id: "forever", title: "Wait"), Action(id: "later", title: "Change")]
            }

            func handle(_ event: Event) async {
                if event == .press(action: "forever") { try? await Task.sleep(for: .seconds(1000)) }
                screen.text = "soon"
                Task { [weak self] in
                    try? await Task.sleep(for: .milliseconds(200))
                    self?.screen.text = "now"
                }
            }
        }
        """)
}

extension ManifestText {
    static var patient: ManifestText {
        var manifest = ManifestText("patient", library: "libPatient.so", routes: ["patient"])
        manifest.requires = ["logger"]
        return manifest
    }
}

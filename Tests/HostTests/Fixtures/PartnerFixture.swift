import HostDriver

extension ModuleFixture {
    /// A module that provides the service `of-a` or `of-b`, as its manifest declares. It shows which of the two it
    /// received, and why it did not receive the other one.
    static let partner = ModuleFixture(
        "Partner",
        """
        import ViperKit

        @c(viper_entry_v1_Partner)
        public func partnerModule() -> UnsafeRawPointer { ModuleEntry.export(Partner.self) }

        final class Partner: Module {
            private static let keys = ["of-a", "of-b"].map(ServiceKey<StateFolder>.init)
            private var given: [String] = []
            private var reasons: [String] = []

            init(services: any ServiceResolver) {
                for key in Self.keys {
                    do { given.append(try services.resolve(key).path) } catch { reasons.append("\\(error)") }
                }
            }

            static func register(with registrar: Registrar<Partner>) {
                for key in keys {
                    registrar.service(key, .singleton) { _, _ in StateFolder(path: key.name) }
                }
                for route in ["a", "b"] {
                    registrar.route(route) { module, _ in PartnerView("\\(route) has \\(module.given)", module.reasons) }
                }
            }
        }

        final class PartnerView: View {
            var screen: Screen
            init(_ title: String, _ reasons: [String]) {
                screen = Screen(title: title)
                screen.text = reasons.joined(separator: "\\n")
            }
        }
        """)
}

extension ManifestText {
    static func partner(_ name: String) -> Self {
        var manifest = ManifestText(name, library: "lib\(name).so", routes: [name])
        manifest.provides = ["of-\(name)"]
        return manifest
    }
}

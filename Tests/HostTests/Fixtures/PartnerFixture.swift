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

        final class Partner: RoutedModule, ServiceModule {
            private static let keys = ["of-a", "of-b"].map(ServiceKey<StateFolder>.init)
            private var given: [String] = []
            private var reasons: [String] = []

            init(services: any ServiceResolver) {
                for key in Self.keys {
                    do { given.append(try services.resolve(key).path) } catch { reasons.append("\\(error)") }
                }
            }

            func registerServices(with registrar: any ServiceRegistrar) {
                for key in Self.keys {
                    try? registrar.register(key, scope: .singleton) { _ in StateFolder(path: key.name) }
                }
            }

            func view(for request: RouteRequest) -> any View { PartnerView("\\(request.route) has \\(given)", reasons) }
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

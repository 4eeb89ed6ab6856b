import TestSupport

extension ModuleFixture {
    /// A module that provides the service `of-a` or `of-b`, whichever its manifest names, and shows which of the two it was given
    /// when it was made.
    static let partner = ModuleFixture(
        "Partner",
        """
        import ViperKit

        @c(viper_module_v1_Partner)
        public func partnerModule() -> UnsafeRawPointer { ModuleEntry.export(Partner.self) }

        final class Partner: RoutedModule, ServiceModule {
            private static let keys = ["of-a", "of-b"].map(ServiceKey<StateFolder>.init)
            private let given: [String]

            init(services: any ServiceResolver) { given = Self.keys.compactMap { try? services.resolve($0).path } }

            func registerServices(with registrar: any ServiceRegistrar) {
                for key in Self.keys {
                    try? registrar.register(key, scope: .singleton) { _ in StateFolder(path: key.name) }
                }
            }

            func view(for request: RouteRequest) -> any View { PartnerView("\\(request.route) has \\(given)") }
        }

        final class PartnerView: View {
            let screen: Screen
            init(_ title: String) { screen = Screen(title: title) }
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

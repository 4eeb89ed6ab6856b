public import HostDriver

extension ModuleFixture {
    /// Returns a module that shows a version when its route is opened. Each other argument is Swift code that the
    /// module runs at a certain point.
    ///
    /// - Parameters:
    ///   - version: The title of the screen, and part of the text after the action "go".
    ///   - making: Code to run in the initializer.
    ///   - health: Code to run in the health check.
    ///   - event: Code to run when an event arrives.
    ///   - stop: Code to run when the module stops.
    public static func version(
        _ version: String, making: String = "", health: String = "", event: String = "", stop: String = ""
    ) -> Self {
        ModuleFixture(
            "Version",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_Version)
            public func versionModule() -> UnsafeRawPointer { ModuleEntry.export(VersionModule.self) }

            struct Fault: Error {}

            final class VersionModule: RoutedModule {
                init(services: any ServiceResolver) throws { \(making) }
                func checkHealth() async throws { \(health) }
                func stop() async { \(stop) }
                func view(for request: RouteRequest) -> any View { VersionView() }
            }

            final class VersionView: View {
                var screen = Screen(title: "\(version)")
                init() { screen.actions = [Action(id: "go", title: "Go")] }
                func handle(_ event: Event) async {
                    \(event)
                    screen.text = "went with \(version)"
                }
            }
            """)
    }

    /// Returns a module that provides a string as a service. The service has a type of ViperKit, because modules do not
    /// share other types.
    ///
    /// - Parameters:
    ///   - text: The string to provide.
    ///   - service: The name of the service.
    ///   - making: Code to run in the initializer.
    public static func keeper(_ text: String, as service: String = "word", making: String = "") -> Self {
        ModuleFixture(
            "Keeper",
            """
            import ViperKit

            @c(viper_entry_v1_Keeper)
            public func keeperModule() -> UnsafeRawPointer { ModuleEntry.export(KeeperModule.self) }

            final class KeeperModule: ServiceModule {
                init(services: any ServiceResolver) { \(making) }
                func registerServices(with registrar: any ServiceRegistrar) throws {
                    try registrar.register(ServiceKey<StateFolder>("\(service)"), scope: .singleton) { _ in
                        StateFolder(path: "\(text)")
                    }
                }
            }
            """)
    }

    /// A module that reads the text of the service `word` in its initializer, and shows this text when its route is
    /// opened.
    public static let teller = ModuleFixture(
        "Teller",
        """
        import ViperKit

        @c(viper_entry_v1_Teller)
        public func tellerModule() -> UnsafeRawPointer { ModuleEntry.export(TellerModule.self) }

        final class TellerModule: RoutedModule {
            let word: String
            init(services: any ServiceResolver) throws {
                word = (try? services.resolve(ServiceKey<StateFolder>("word")).path) ?? "nothing"
            }
            func view(for request: RouteRequest) -> any View { TellerView(word) }
        }

        final class TellerView: View {
            let screen: Screen
            init(_ word: String) { screen = Screen(title: word) }
        }
        """)
}

extension ManifestText {
    public static func version(routes: [String] = ["version"]) -> Self {
        ManifestText("version", library: "libVersion.so", routes: routes)
    }

    public static var keeper: Self {
        var manifest = ManifestText("keeper", library: "libKeeper.so", routes: [])
        manifest.provides = ["word"]
        return manifest
    }

    public static func teller(optional: Bool = false) -> Self {
        var manifest = ManifestText("teller", library: "libTeller.so", routes: ["teller"])
        if optional { manifest.optional = ["word"] } else { manifest.requires = ["word"] }
        return manifest
    }
}

public import HostDriver

extension ModuleFixture {
    /// The routes of the tests' manifests for ``version(_:routes:making:health:event:stop:)``.
    public static let commonRoutes =
        ["version", "newer", "other", "twin", "more", "mine", "late", "stays", "goes"]
        + (0..<64).flatMap { ["m\($0)", "more\($0)"] }

    /// Returns a module that shows a version when its route is opened. Each other argument is Swift code that the
    /// module runs at a certain point.
    ///
    /// - Parameters:
    ///   - version: The title of the screen, and part of the text after the action "go".
    ///   - routes: The routes that the module registers. A manifest may declare some of them.
    ///   - making: Code to run in the initializer.
    ///   - health: Code to run in the health check.
    ///   - event: Code to run when an event arrives.
    ///   - stop: Code to run when the module stops.
    ///   - run: Code of `run()`.
    public static func version(
        _ version: String, routes: [String] = commonRoutes, making: String = "", health: String = "",
        event: String = "", stop: String = "", run: String = ""
    ) -> Self {
        ModuleFixture(
            "Version",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_Version)
            public func versionModule() -> UnsafeRawPointer { ModuleEntry.export(VersionModule.self) }

            struct Fault: Error {}

            final class VersionModule: Module {
                init(services: any ServiceResolver) throws { \(making) }
                static func register(with registrar: Registrar<VersionModule>) {
                    for route in \(routes) { registrar.route(route) { _, _ in VersionView() } }
                }
                func checkHealth() async throws { \(health) }
                func stop() async { \(stop) }
                nonisolated func run() async throws { \(run) }
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

            final class KeeperModule: Module {
                init(services: any ServiceResolver) { \(making) }
                static func register(with registrar: Registrar<KeeperModule>) {
                    registrar.service(ServiceKey<StateFolder>("\(service)"), .singleton) { _, _ in
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

        final class TellerModule: Module {
            let word: String
            init(services: any ServiceResolver) throws {
                word = (try? services.resolve(ServiceKey<StateFolder>("word")).path) ?? "nothing"
            }
            static func register(with registrar: Registrar<TellerModule>) {
                for route in ["teller", "teller/again", "user"] { registrar.route(route) { module, _ in TellerView(module.word) } }
            }
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

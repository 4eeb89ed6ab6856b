import Foundation
import TestSupport
import ViperKit

@testable import ViperRuntime

extension ModuleFixture {
    /// A module that says its version on each route, keeps it as long as its scene is open, and throws where it is told to.
    ///
    /// - Parameter fault: Swift that runs in the place that its name says.
    static func version(_ version: String, making: String = "", health: String = "", event: String = "") -> Self {
        ModuleFixture(
            "Version",
            """
            import ViperKit

            @c(viper_module_v1_Version)
            public func versionModule() -> UnsafeRawPointer { ModuleEntry.export(VersionModule.self) }

            struct Fault: Error {}

            final class VersionModule: RoutedModule {
                init(services: any ServiceResolver) throws { \(making) }
                func checkHealth() async throws { \(health) }
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

    /// A module that provides a credential store in which a text stands under the key `key`.
    static func keeper(_ text: String) -> Self {
        ModuleFixture(
            "Keeper",
            """
            import ViperKit

            @c(viper_module_v1_Keeper)
            public func keeperModule() -> UnsafeRawPointer { ModuleEntry.export(KeeperModule.self) }

            final class KeeperModule: ServiceModule {
                init(services: any ServiceResolver) {}
                func registerServices(with registrar: any ServiceRegistrar) throws {
                    try registrar.register(ServiceKey<StateFolder>("word"), scope: .singleton) { _ in
                        StateFolder(path: "\(text)")
                    }
                }
            }
            """)
    }

    /// A module that shows the word that it was given when it was made.
    static let teller = ModuleFixture(
        "Teller",
        """
        import ViperKit

        @c(viper_module_v1_Teller)
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
    static func version(routes: [String] = ["version"]) -> Self {
        ManifestText("version", library: "libVersion.so", routes: routes)
    }

    static var keeper: Self {
        var manifest = ManifestText("keeper", library: "libKeeper.so", routes: [])
        manifest.provides = ["word"]
        return manifest
    }

    static func teller(optional: Bool = false) -> Self {
        var manifest = ManifestText("teller", library: "libTeller.so", routes: ["teller"])
        if optional { manifest.optional = ["word"] } else { manifest.requires = ["word"] }
        return manifest
    }
}

/// A root that changes while a host of this process works in it.
final class ChangingRoot: Sendable {
    let scratch: ScratchFolder
    let log = Steps()

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write("", to: "root/Manifests/.keep")
        try scratch.write("", to: "root/Plugins/.keep")
    }

    var path: String { scratch.path + "/root" }

    func host() throws -> ViperHost {
        var configuration = ViperHost.Configuration(root: Root(path: path, executableFolder: "/nonexistent"))
        configuration.isLive = true
        configuration.workerProgram = Products.host
        configuration.settings.stateFolder = scratch.path + "/state"
        configuration.logger = LineLogger(source: "host", minimum: .info) { [log] in log.add($0) }
        return try ViperHost(configuration)
    }

    /// Puts a library in by one rename, as it should be done.
    func put(_ fixture: ModuleFixture, as library: String) async throws {
        let content = try Data(contentsOf: URL(filePath: await fixture.compiled()))
        try put(content, as: library)
    }

    func put(_ content: Data, as library: String) throws {
        let staged = try scratch.write(content, to: "staged")
        guard rename(staged, "\(path)/Plugins/\(library)") == 0 else {
            throw ViperError(.libraryFailed, "", "", cause: "")
        }
    }

    func put(_ manifest: ManifestText) throws {
        try scratch.write(manifest.text, to: "root/Manifests/\(manifest.name).json")
    }

    func put(_ fixture: ModuleFixture, _ manifest: ManifestText) async throws {
        try await put(fixture, as: manifest.library)
        try put(manifest)
    }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(file)") }
}

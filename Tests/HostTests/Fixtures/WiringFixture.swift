import HostDriver

extension ModuleFixture {
    /// A module that provides services and uses one: `wiring service=NAME`. It waits for its own service `time`, and
    /// resolves all others, as it does for `time-now`.
    ///
    /// The services `left` and `right` need each other, `broken` fails, and `time` works. With `$WIRING` set, the
    /// module is only a `ServiceModule`.
    static let wiring = ModuleFixture(
        "Wiring",
        """
        import Glibc
        import ViperKit

        @c(viper_entry_v1_Wiring)
        public func entry() -> UnsafeRawPointer {
            getenv("WIRING") == nil ? ModuleEntry.export(Wiring.self) : ModuleEntry.export(Silent.self)
        }

        struct Mishap: Error {}

        final class Silent: ServiceModule {
            init(services: any ServiceResolver) {}
            func registerServices(with registrar: any ServiceRegistrar) throws {}
        }

        final class Wiring: RoutedModule, ServiceModule {
            private let services: any ServiceResolver

            init(services: any ServiceResolver) { self.services = services }

            func registerServices(with registrar: any ServiceRegistrar) throws {
                try registrar.register(ServiceKey<String>("left"), scope: .singleton) { services in
                    try await services.resolveOrCreate(ServiceKey<String>("right"))
                }
                try registrar.register(ServiceKey<String>("right"), scope: .perModule) { services in
                    try await services.resolveOrCreate(ServiceKey<String>("left"))
                }
                try registrar.register(ServiceKey<String>("broken"), scope: .singleton) { _ -> String in throw Mishap() }
                try registrar.register(ServiceKey<String>("time"), scope: .singleton) { _ in "noon" }
            }

            func view(for request: RouteRequest) throws -> any View {
                let name = try request.parameter("service", as: String.self)
                if name == "time" { return Answer(name, services) }
                if name == "time-now" { _ = try services.resolve(ServiceKey<String>("time")) }
                _ = try services.resolve(ServiceKey<String>(name))
                throw request.unknownRouteError
            }
        }

        final class Answer: View {
            private(set) var screen = Screen(title: "Waiting")
            private let services: any ServiceResolver
            private let name: String
            init(_ name: String, _ services: any ServiceResolver) { (self.name, self.services) = (name, services) }
            func load() async {
                do { screen.title = try await services.resolveOrCreate(ServiceKey<String>(name)) } catch { screen.title = "\\(error)" }
            }
        }
        """)

    static let minimal = ModuleFixture("Minimal", minimal("viper_entry_v1_Minimal"))
}

extension ManifestText {
    static var wiring: ManifestText {
        var manifest = ManifestText(
            "wiring", library: "libWiring.so",
            routes: [
                """
                { "name": "wiring", "summary": "Resolves a service",
                  "parameters": [{ "name": "service", "type": "string", "summary": "Which one" }] }
                """
            ])
        manifest.provides = ["left", "right", "broken", "time"]
        return manifest
    }
}

import HostDriver

extension ModuleFixture {
    /// A module that provides services and uses one: `wiring service=NAME`. It waits for its own service `time`, and
    /// resolves all others, as it does for `time-now`.
    ///
    /// The services `left` and `right` need each other, `broken` fails, and `time` works. With `$WIRING` set, the
    /// module registers nothing.
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

        final class Silent: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Silent>) {}
        }

        final class Wiring: Module {
            private let services: any ServiceResolver

            init(services: any ServiceResolver) { self.services = services }

            static func register(with registrar: Registrar<Wiring>) {
                registrar.route("wiring") { module, request in try module.view(for: request) }
                registrar.service(ServiceKey<String>("left"), .singleton) { _, services in
                    try await services.resolveOrCreate(ServiceKey<String>("right"))
                }
                registrar.service(ServiceKey<String>("right"), .perModule) { _, services in
                    try await services.resolveOrCreate(ServiceKey<String>("left"))
                }
                registrar.service(ServiceKey<String>("broken"), .singleton) { _, _ -> String in throw Mishap() }
                registrar.service(ServiceKey<String>("time"), .singleton) { _, _ in "noon" }
            }

            func view(for request: RouteRequest) throws -> any View {
                let name = try request.parameter("service", as: String.self)
                if name == "time" { return Answer(name, services) }
                if name == "time-now" { _ = try services.resolve(ServiceKey<String>("time")) }
                _ = try services.resolve(ServiceKey<String>(name))
                throw Mishap()
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

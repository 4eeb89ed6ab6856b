import HostDriver

extension ModuleFixture {
    /// A module that shows the registry, live: modules with their work and statistics as text, services as rows, routes as
    /// a second section. The action `read` reads it again.
    static let lister = ModuleFixture(
        "Lister",
        """
        import Observation
        import ViperKit

        @c(viper_entry_v1_Lister)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Lister.self) }

        final class Lister: Module {
            private let registry: any ModuleRegistry
            init(services: any ServiceResolver) throws { registry = try services.resolve(.registry) }
            static func register(with registrar: Registrar<Lister>) {
                registrar.route("registry") { module, _ in RegistryView(module.registry) }
            }
        }

        @Observable
        final class RegistryView: View {
            private(set) var screen = Screen(title: "Registry")
            @ObservationIgnored private let registry: any ModuleRegistry
            @ObservationIgnored private var task: Task<Void, Never>?

            init(_ registry: any ModuleRegistry) {
                self.registry = registry
                screen.actions = [Action(id: "read", title: "Read")]
            }
            deinit { task?.cancel() }

            func load() async {
                await read()
                task = Task { [weak self, registry] in for await _ in registry.changes() { await self?.read() } }
            }

            func handle(_ event: Event) async { await read() }

            private func read() async {
                do {
                    screen.text = try await registry.modules().map { module in
                        let use = module.statistics
                        return "\\(module.name) \\(module.state.rawValue) \\(module.run ?? "-")"
                            + " calls \\(use.calls) failed \\(use.failures) open \\(use.openScenes) loads \\(use.loads)"
                    }.joined(separator: ", ")
                    let services = try await registry.services().map { service in
                        Row(id: service.name, title: "\\(service.name) of \\(service.selected ?? "none")"
                            + " in \\(service.providers) for \\(service.consumers) all \\(service.collectors) \\(service.choices)")
                    }
                    let routes = try await registry.routes().map { Row(id: $0.name, title: "\\($0.name) of \\($0.module)") }
                    screen.sections = [Section(rows: services), Section(rows: routes)]
                } catch { screen.text = "\\(error)" }
            }
        }
        """)
}

extension ManifestText {
    static func lister(isIsolated: Bool) -> ManifestText {
        var manifest = ManifestText("lister", library: "libLister.so", routes: ["registry"])
        manifest.requires = ["registry"]
        if isIsolated { manifest.isolation = "process" }
        return manifest
    }
}

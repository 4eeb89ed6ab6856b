import HostDriver

extension ModuleFixture {
    /// A module that collects the service `word`, and shows the words and their providers, live. The action `call` shows
    /// the words that it got first, although their providers may have changed.
    ///
    /// - Parameter services: Code that registers services of the module, with the registrar `registrar`.
    static func collector(providing services: String = "") -> Self {
        ModuleFixture(
            "Collector",
            """
            import Observation
            import ViperKit

            @c(viper_entry_v1_Collector)
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(Collector.self) }

            final class Collector: Module {
                private let services: any ServiceResolver
                init(services: any ServiceResolver) { self.services = services }
                static func register(with registrar: Registrar<Collector>) {
                    registrar.route("words") { module, _ in Words(module.services) }
                    \(services)
                }
            }

            @Observable
            final class Words: View {
                private(set) var screen = Screen(title: "Words")
                @ObservationIgnored private let services: any ServiceResolver
                @ObservationIgnored private var first: [OfferedService<@Sendable () -> String>]?
                @ObservationIgnored private var task: Task<Void, Never>?
                init(_ services: any ServiceResolver) {
                    self.services = services
                    screen.actions = [Action(id: "call", title: "Call")]
                }
                deinit { task?.cancel() }

                func load() async {
                    do {
                        let words = try services.all(ServiceKey<@Sendable () -> String>("word"))
                        for await list in words {
                            show(list)
                            break
                        }
                        task?.cancel()
                        task = Task { [weak self, words] in
                            for await list in words { self?.show(list) }
                            self?.screen.text = "over"
                        }
                    } catch { screen.text = "\\(error)" }
                }

                private func show(_ list: [OfferedService<@Sendable () -> String>]) {
                    if first == nil { first = list }
                    screen.text = list.map { "\\($0.module) says \\($0.service())" }.joined(separator: ", ")
                }

                func handle(_ event: Event) async {
                    screen.text = "first " + (first ?? []).map { $0.service() }.joined(separator: ", ")
                }
            }
            """)
    }

    /// A module that provides the service `word` as a function.
    ///
    /// - Parameters:
    ///   - making: Code to run in the initializer.
    ///   - factory: Code to run in the factory.
    ///   - type: The type of the service.
    static func speaker(
        _ word: String, making: String = "", factory: String = "", stop: String = "",
        type: String = "@Sendable () -> String"
    ) -> Self {
        ModuleFixture(
            "Speaker",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_Speaker)
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(Speaker.self) }

            struct Mishap: Error {}

            final class Speaker: Module {
                init(services: any ServiceResolver) throws { \(making) }
                static func register(with registrar: Registrar<Speaker>) {
                    registrar.service(ServiceKey<\(type)>("word"), .singleton) { _, services in
                        \(factory)
                        return { "\(word)" }
                    }
                }
                func stop() async { \(stop) }
            }
            """)
    }
}

extension ManifestText {
    static var collector: ManifestText {
        var manifest = ManifestText("collector", library: "libCollector.so", routes: ["words"])
        manifest.collects = ["word"]
        return manifest
    }

    static func speaker(_ name: String) -> ManifestText {
        var manifest = ManifestText(name, library: "lib\(name).so", routes: [])
        manifest.provides = ["word"]
        return manifest
    }
}

import HostDriver

extension ModuleFixture {
    /// A module that provides a service whose type is a function, and one whose type is a protocol of its own. It shows
    /// what it gets from the services of these names.
    ///
    /// - Parameter name: The Swift module's name. Two modules with different names have the same source.
    static func exchange(_ name: String) -> ModuleFixture {
        ModuleFixture(
            name,
            """
            import ViperKit

            @c(viper_entry_v1_\(name))
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(Exchange.self) }

            protocol Greeter: Sendable { func greeting() -> String }
            struct Polite: Greeter { func greeting() -> String { "Good day" } }

            extension ServiceKey where Service == @Sendable (Int) async throws -> [String] {
                static var numbers: Self { Self("numbers") }
            }
            extension ServiceKey where Service == any Greeter {
                static var greeter: Self { Self("greeter") }
            }

            final class Exchange: Module {
                let services: any ServiceResolver
                init(services: any ServiceResolver) { self.services = services }
                static func register(with registrar: Registrar<Exchange>) {
                    registrar.service(.numbers, .singleton) { _, _ in { count in (0..<count).map { "\\($0)" } } }
                    registrar.service(.greeter, .singleton) { _, _ in Polite() }
                    for route in ["giver", "taker"] {
                        registrar.route(route) { module, _ in ExchangeView(services: module.services) }
                    }
                }
            }

            final class ExchangeView: View {
                private(set) var screen = Screen(title: "")
                private let services: any ServiceResolver
                init(services: any ServiceResolver) { self.services = services }
                func load() async {
                    do {
                        let numbers = try await services.resolveOrCreate(.numbers)
                        screen.title = try await numbers(3).joined(separator: ", ")
                        screen.text = try await services.resolveOrCreate(.greeter).greeting()
                    } catch { screen.text = "\\((error as? ViperError)?.code.name ?? "\\(error)")" }
                }
            }
            """)
    }
}

import HostDriver

extension ModuleFixture {
    /// A data provider that acknowledges every change and stores nothing.
    static let dropper = ModuleFixture(
        "Dropper",
        """
        import ViperKit

        @c(viper_entry_v1_Dropper)
        public func dropperModule() -> UnsafeRawPointer { ModuleEntry.export(Dropper.self) }

        final class Dropper: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Dropper>) {
                registrar.service(.dataProvider, .singleton) { _, _ in DroppingProvider() }
            }
        }

        struct DroppingProvider: DataProvider {
            func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] { [] }
            func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? { nil }
            func apply(_ changes: [DataChange]) async throws(ViperError) {}
        }
        """)
}

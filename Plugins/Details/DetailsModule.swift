import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Details)
public func detailsModule() -> UnsafeRawPointer { ModuleEntry.export(DetailsModule.self) }

/// A module that shows what another module passes to it: a title, values with their labels, and actions.
final class DetailsModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<DetailsModule>) {
        registrar.route(DetailsRoute.self) { _, details, navigator in
            DetailsWireframe.assemble(details, navigator: navigator)
        }
    }
}

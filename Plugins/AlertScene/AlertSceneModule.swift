import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_AlertScene)
public func alertSceneModule() -> UnsafeRawPointer { ModuleEntry.export(AlertSceneModule.self) }

/// A module that asks for a confirmation. Other modules present its route, and get the answer as its result.
final class AlertSceneModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<AlertSceneModule>) {
        registrar.route(AlertRoute.self) { _, alert, navigator in
            AlertWireframe.assemble(alert, navigator: navigator)
        }
    }
}

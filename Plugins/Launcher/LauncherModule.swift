import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Launcher)
public func launcherModule() -> UnsafeRawPointer { ModuleEntry.export(LauncherModule.self) }

/// A module that lists what other modules contribute to the point `menu`, and opens it.
final class LauncherModule: Module {
    private let registry: any ModuleRegistry

    init(services: any ServiceResolver) throws { registry = try services.resolve(.registry) }

    static func register(with registrar: Registrar<LauncherModule>) {
        registrar.route("launcher") { module, request in
            MenuWireframe.assemble(registry: module.registry, navigator: request.navigator)
        }
    }
}

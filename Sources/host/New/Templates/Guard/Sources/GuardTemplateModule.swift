import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_GuardTemplate)
public func guardTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(GuardTemplateModule.self)
}

/// A module that guards the routes that "guards" in host.json names for it.
final class GuardTemplateModule: Module {
    private let settings: GuardSettings

    init(services: any ServiceResolver) throws {
        settings = try services.resolve(.configuration).decode(GuardSettings.self)
    }

    static func register(with registrar: Registrar<GuardTemplateModule>) {
        registrar.service(.routeGuard, .singleton) { module, _ in ClosingGuard(settings: module.settings) }
    }
}

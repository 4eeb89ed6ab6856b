import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_ServiceTemplate)
public func serviceTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(ServiceTemplateModule.self)
}

/// A module with a data provider that stores records in memory. The records are lost when the host exits.
final class ServiceTemplateModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<ServiceTemplateModule>) {
        registrar.service(.dataProvider, .singleton) { _, services in
            MemoryProvider(json: try services.resolve(.json))
        }
    }
}

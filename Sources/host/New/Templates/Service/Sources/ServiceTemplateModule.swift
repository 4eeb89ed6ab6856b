import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_ServiceTemplate)
public func serviceTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(ServiceTemplateModule.self)
}

/// A module with a data provider that stores records in memory. The records are lost when the host exits.
final class ServiceTemplateModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.dataProvider, scope: .singleton) { services in
            MemoryProvider(json: try services.resolve(.json))
        }
    }
}

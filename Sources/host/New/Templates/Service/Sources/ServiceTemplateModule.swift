import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_ServiceTemplate)
public func serviceTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(ServiceTemplateModule.self)
}

/// Provides a data provider that forgets everything when the host ends.
final class ServiceTemplateModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.dataProvider, scope: .singleton) { services in
            MemoryProvider(json: try services.resolve(.json))
        }
    }
}

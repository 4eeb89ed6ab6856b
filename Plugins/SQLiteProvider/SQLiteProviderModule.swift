import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_SQLiteProvider)
public func sqliteProviderModule() -> UnsafeRawPointer { ModuleEntry.export(SQLiteProviderModule.self) }

/// Provides a data provider on the system's SQLite, in one file in the module's state folder.
final class SQLiteProviderModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.dataProvider, scope: .singleton) { services in
            SQLiteDataProvider(
                file: try services.resolve(.stateFolder).path + "/records.sqlite", json: try services.resolve(.json))
        }
    }
}

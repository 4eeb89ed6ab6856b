import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_SQLiteProvider)
public func sqliteProviderModule() -> UnsafeRawPointer { ModuleEntry.export(SQLiteProviderModule.self) }

/// A module that provides a data provider based on the system's SQLite. The database is in the module's state folder.
final class SQLiteProviderModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<SQLiteProviderModule>) {
        registrar.service(.dataProvider, .singleton) { _, services in
            let provider = SQLiteDataProvider(
                file: try services.resolve(.stateFolder).path + "/records.sqlite", json: try services.resolve(.json))
            // Opening may wait for the disk and for other processes, so it runs on the store's private queue.
            try await provider.open()
            return provider
        }
    }
}

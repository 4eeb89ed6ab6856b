import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_PostgreSQLProvider)
public func postgreSQLProviderModule() -> UnsafeRawPointer { ModuleEntry.export(PostgreSQLProviderModule.self) }

/// A module that provides a data provider based on the system's libpq. The configuration names the database.
final class PostgreSQLProviderModule: Module {
    private struct Settings: Decodable {
        var connection: String
        var pool: Int
        var timeout: Int
    }

    /// The maximum time to open the database. The host waits 8 seconds for all services of a module.
    private static let opening = Duration.seconds(5)

    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<PostgreSQLProviderModule>) {
        registrar.service(.dataProvider, .singleton) { _, services in
            // The key is optional in the manifest, so a host that uses another provider need not set it.
            let settings = try services.resolve(.configuration).decode(Settings.self)
            let provider = PostgreSQLDataProvider(
                try ConnectionString(settings.connection), json: try services.resolve(.json),
                logger: try services.resolve(.logger), pool: settings.pool, timeout: .seconds(settings.timeout))
            try await provider.open(within: min(opening, .seconds(settings.timeout)))
            return provider
        }
    }
}

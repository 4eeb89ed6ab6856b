import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_HTTPProvider)
public func httpProviderModule() -> UnsafeRawPointer { ModuleEntry.export(HTTPProviderModule.self) }

/// A module that provides a data provider for the server in its configuration.
final class HTTPProviderModule: Module {
    private struct Settings: Decodable {
        var baseURL: String
    }

    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<HTTPProviderModule>) {
        registrar.service(.dataProvider, .singleton) { _, services in
            // The key is optional in the manifest, so a host that uses another provider need not set it.
            let settings = try services.resolve(.configuration).decode(Settings.self)
            return HTTPDataProvider(
                server: try RecordServer(baseURL: settings.baseURL), client: try services.resolve(.httpClient),
                json: try services.resolve(.json))
        }
    }
}

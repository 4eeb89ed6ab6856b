import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_HTTPProvider)
public func httpProviderModule() -> UnsafeRawPointer { ModuleEntry.export(HTTPProviderModule.self) }

/// A module that provides a data provider for the server in its configuration.
final class HTTPProviderModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.dataProvider, scope: .singleton) { services in
            // The key is optional in the manifest, so a host that uses another provider need not set it.
            let url = try services.resolve(.configuration).value("baseURL", as: String.self)
            return HTTPDataProvider(
                server: try RecordServer(baseURL: url), client: try services.resolve(.httpClient),
                json: try services.resolve(.json))
        }
    }
}

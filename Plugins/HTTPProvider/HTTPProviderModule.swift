import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_HTTPProvider)
public func httpProviderModule() -> UnsafeRawPointer { ModuleEntry.export(HTTPProviderModule.self) }

/// Provides a data provider that keeps collections on the server that the module's configuration names.
final class HTTPProviderModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.dataProvider, scope: .singleton) { services in
            // Optional in the manifest: a host that uses another provider should not have to name a server.
            let url = try services.resolve(.configuration).value("baseURL", as: String.self)
            return HTTPDataProvider(
                server: try RecordServer(baseURL: url), client: try services.resolve(.httpClient),
                json: try services.resolve(.json))
        }
    }
}

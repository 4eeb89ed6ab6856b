import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_URLSessionClient)
public func urlSessionClientModule() -> UnsafeRawPointer { ModuleEntry.export(URLSessionClientModule.self) }

/// Provides an HTTP client on Foundation's URLSession. A module of its own, so that only a host that asks over the network
/// waits for FoundationNetworking to load.
final class URLSessionClientModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.httpClient, scope: .singleton) { _ in URLSessionClient() }
    }
}

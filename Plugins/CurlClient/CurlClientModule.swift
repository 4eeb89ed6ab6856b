import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_CurlClient)
public func curlClientModule() -> UnsafeRawPointer { ModuleEntry.export(CurlClientModule.self) }

/// Provides an HTTP client on the system's libcurl. A module of its own, so that a host that asks nobody loads none of it.
final class CurlClientModule: ServiceModule {
    init(services: any ServiceResolver) {}

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try registrar.register(.httpClient, scope: .singleton) { _ in try CurlClient() }
    }
}

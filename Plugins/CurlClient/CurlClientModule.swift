import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_CurlClient)
public func curlClientModule() -> UnsafeRawPointer { ModuleEntry.export(CurlClientModule.self) }

/// A module that provides an HTTP client based on the system's libcurl. A host loads libcurl only if a module uses this
/// client.
final class CurlClientModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<CurlClientModule>) {
        registrar.service(.httpClient, .singleton) { _, _ in try CurlClient() }
    }
}

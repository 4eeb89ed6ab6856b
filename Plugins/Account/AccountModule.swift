import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_Account)
public func accountModule() -> UnsafeRawPointer { ModuleEntry.export(AccountModule.self) }

/// Logs somebody in and out. Who is logged in stays so from one run of the host to the next.
final class AccountModule: RoutedModule {
    private let api: any AccountAPIDataManaging
    private let local: any AccountLocalDataManaging

    init(services: any ServiceResolver) throws {
        let configuration = try services.resolve(.configuration)
        api = try AccountAPIDataManager(
            baseURL: try configuration.valueIfPresent("baseURL", as: String.self),
            client: try services.resolve(.httpClient),
            json: try services.resolve(.json))
        local = AccountLocalDataManager(store: try services.resolve(.credentialStore))
    }

    func view(for request: RouteRequest) throws -> any View {
        switch request.route {
        case "login": LoginWireframe.assemble(api: api, local: local, navigator: request.navigator)
        case "home": HomeWireframe.assemble(local: local, navigator: request.navigator)
        default: throw request.unknownRoute
        }
    }
}

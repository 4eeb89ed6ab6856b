import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Account)
public func accountModule() -> UnsafeRawPointer { ModuleEntry.export(AccountModule.self) }

/// A module that logs a user in and out. The login persists across restarts of the host.
final class AccountModule: RoutedModule {
    static let routeArguments: [any RouteArguments.Type] = [LoginRoute.self, HomeRoute.self]

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
        case LoginRoute.route: LoginWireframe.assemble(api: api, local: local, navigator: request.navigator)
        case HomeRoute.route: HomeWireframe.assemble(local: local, navigator: request.navigator)
        default: throw request.unknownRouteError
        }
    }
}

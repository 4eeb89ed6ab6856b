import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Account)
public func accountModule() -> UnsafeRawPointer { ModuleEntry.export(AccountModule.self) }

/// A module that logs a user in and out. The login persists across restarts of the host.
final class AccountModule: Module {
    private struct Settings: Decodable {
        var baseURL: String?
    }

    private let api: any AccountAPIDataManaging
    private let local: any AccountLocalDataManaging

    init(services: any ServiceResolver) throws {
        let settings = try services.resolve(.configuration).decode(Settings.self)
        api = try AccountAPIDataManager(
            baseURL: settings.baseURL,
            client: try services.resolve(.httpClient),
            json: try services.resolve(.json))
        local = AccountLocalDataManager(store: try services.resolve(.credentialStore))
    }

    static func register(with registrar: Registrar<AccountModule>) {
        registrar.route(LoginRoute.self) { module, _, navigator in
            LoginWireframe.assemble(api: module.api, local: module.local, navigator: navigator)
        }
        registrar.route(HomeRoute.self) { module, _, navigator in
            HomeWireframe.assemble(local: module.local, navigator: navigator)
        }
    }
}

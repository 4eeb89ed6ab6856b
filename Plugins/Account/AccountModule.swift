import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Account)
public func accountModule() -> UnsafeRawPointer { ModuleEntry.export(AccountModule.self) }

/// A module that logs users in and out, guards routes from those who are not logged in, and sends requests of other
/// modules in the name of a user. Logins persist across restarts of the host.
final class AccountModule: Module {
    private struct Settings: Decodable {
        var baseURL: String?
    }

    private let api: AccountAPIDataManager
    private let client: any HTTPClient
    private let sessions: AccountSessions

    init(services: any ServiceResolver) throws {
        let settings = try services.resolve(.configuration).decode(Settings.self)
        let json = try services.resolve(.json)
        client = try services.resolve(.httpClient)
        api = try AccountAPIDataManager(baseURL: settings.baseURL, client: client, json: json)
        sessions = AccountSessions(
            store: try services.resolve(.credentialStore), json: json, server: api.baseURL?.text)
    }

    static func register(with registrar: Registrar<AccountModule>) {
        registrar.route(LoginRoute.self) { module, arguments, navigator in
            LoginWireframe.assemble(
                arguments, api: module.api, local: module.local(for: navigator), navigator: navigator)
        }
        registrar.route(HomeRoute.self) { module, _, navigator in
            HomeWireframe.assemble(local: module.local(for: navigator), navigator: navigator)
        }
        registrar.service(.routeGuard, .singleton) { module, _ in LoginGuard(sessions: module.sessions) }
        registrar.service(.session, .singleton) { module, _ in
            { [sessions = module.sessions, client = module.client] identity in
                guard let session = try await sessions.session(of: identity) else { return nil }
                return (session.userName, SessionClient(session: session, sessions: sessions, client: client))
            }
        }
        registrar.service(.sessionChanges, .singleton) { module, _ in
            { [sessions = module.sessions] in sessions.changes() }
        }
    }

    private func local(for navigator: any Navigator) -> any AccountLocalDataManaging {
        AccountLocalDataManager(sessions: sessions, identity: navigator.identity)
    }
}

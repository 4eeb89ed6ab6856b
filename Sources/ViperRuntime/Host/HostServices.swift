import DataProviders
import FoundationEssentials
import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

package enum HostServices {
    // No module can have this name, so removing a module's services never removes the host's services.
    static let provider = "the host"

    static func container(
        _ configuration: ViperHost.Configuration, _ sockets: HeldSockets = HeldSockets()
    ) -> ServiceContainer {
        let container = ServiceContainer()
        let (logger, state) = (configuration.logger, configuration.state)
        _ = container.register(.json, provider: provider, scope: .singleton) { _ in FoundationJSONCoder() }
        _ = container.register(.clock, provider: provider, scope: .singleton) { _ in ContinuousClock() }
        _ = container.register(.listeningSockets, provider: provider, scope: .perModule) {
            ModuleSockets(sockets, for: $0.module)
        }
        _ = container.register(.logger, provider: provider, scope: .perModule) { logger.named($0.module) }
        _ = container.register(.fileReader, provider: provider, scope: .perModule) { consumer in
            ScopedFileReader(folders: consumer.folders, resources: consumer.resources)
        }
        _ = container.register(.configuration, provider: provider, scope: .perModule) { consumer in
            consumer.configuration ?? Configuration(module: consumer.module)
        }
        _ = container.register(.stateFolder, provider: provider, scope: .perModule) { consumer in
            try await BlockingWork.run { () throws(ViperError) in try state.folder(for: consumer.module) }
        }
        _ = container.register(.credentialStore, provider: provider, scope: .perModule) { consumer in
            FileCredentialStore(
                folder: try await BlockingWork.run { () throws(ViperError) in try state.folder(for: consumer.module) })
        }
        if configuration.isOffline {
            _ = container.register(.httpClient, provider: provider, scope: .singleton) { _ in OfflineHTTPClient() }
        }
        if provides("data-provider", under: configuration.settings) {
            _ = container.register(.dataProvider, provider: provider, scope: .singleton) { _ in
                let folder = try await BlockingWork.run { () throws(ViperError) in try state.dataFolder() }
                return JSONDataProvider(folder: folder, trust: configuration.root.trust.ofNamed)
            }
        }
        return container
    }

    /// Returns the providers that the settings select, given the services in the host's container.
    static func wiring(_ configuration: ViperHost.Configuration, _ container: ServiceContainer) -> ServiceWiring {
        let choices = configuration.settings.providers
        return ServiceWiring(
            // The host's own provider may exist for a single module only.
            hostServices: container.names.filter { service in
                Settings.hostProviders[service].map { $0 == choices[service] ?? $0 } ?? true
            },
            // In an offline host, a module may also provide `http-client`, but all modules use the host's client.
            replaceable: Settings.hostProviders.merging(configuration.isOffline ? ["http-client": "offline"] : [:]) {
                $1
            },
            choices: configuration.isOffline
                ? choices.filter { Settings.parts(ofChoice: $0.key).service != "http-client" } : choices)
    }

    /// Returns true if the settings select the host's own provider for a service, also if only for one module, or no
    /// provider.
    private static func provides(_ service: String, under settings: Settings) -> Bool {
        settings.providers[service] == nil
            || settings.providers.contains { key, provider in
                Settings.parts(ofChoice: key).service == service && provider == Settings.hostProviders[service]
            }
    }
}

import FoundationEssentials
import ViperKit

/// The services that the host itself provides.
enum HostServices {
    /// Those that a module may provide instead, each with the name of the host's own provider.
    static let replaceable: [String: String] = [:]

    // No module can have this name, and take the host's services along when it ends.
    private static let provider = "the host"

    static func container(_ configuration: ViperHost.Configuration) -> ServiceContainer {
        let container = ServiceContainer()
        let (logger, state) = (configuration.logger, StateRoot(configuration.settings))
        _ = container.register(.json, provider: provider, scope: .singleton) { _ in FoundationJSONCoder() }
        _ = container.register(.logger, provider: provider, scope: .transient) { logger.named($0.module) }
        _ = container.register(.fileReader, provider: provider, scope: .transient) { consumer in
            ScopedFileReader(folders: consumer.folders)
        }
        _ = container.register(.configuration, provider: provider, scope: .transient) { consumer in
            ModuleConfiguration(module: consumer.module, values: consumer.configuration)
        }
        _ = container.register(.stateFolder, provider: provider, scope: .transient) { consumer in
            try state.folder(for: consumer.module)
        }
        return container
    }

    /// What the settings leave of them to the host.
    static func wiring(_ settings: Settings) -> ServiceWiring {
        let names: Set = ["json", "logger", "file-reader", "configuration", "state-folder"]
        let chosen = settings.providers.filter { replaceable[$0.key] != $0.value }
        return ServiceWiring(
            hostServices: names.union(replaceable.keys).subtracting(chosen.keys), replaceable: Set(replaceable.keys),
            chosenModules: chosen)
    }
}

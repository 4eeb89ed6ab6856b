import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Web)
public func webModule() -> UnsafeRawPointer { ModuleEntry.export(WebModule.self) }

/// A module that shows the host's windows to browsers.
final class WebModule: Module {
    private let logger: any Logger
    /// Nil if the settings have no address to listen at.
    private let front: WebFront?

    init(services: any ServiceResolver) throws {
        let logger = try services.resolve(.logger)
        self.logger = logger
        front = try WebSettings(try services.resolve(.configuration)).map { settings in
            let (registry, clock) = (try services.resolve(.registry), try services.resolve(.clock))
            return WebFront(
                settings: settings, windows: try services.resolve(.windows),
                registry: registry, sockets: try services.resolve(.listeningSockets),
                files: try services.resolve(.fileReader),
                journal: SessionJournal(
                    folder: try services.resolve(.stateFolder).path, json: try services.resolve(.json)),
                clock: clock, logger: logger, departure: Departure(registry: registry, clock: clock))
        }
    }

    static func register(with registrar: Registrar<WebModule>) {}

    nonisolated func run() async throws {
        guard let front else { return logger.log(.debug, "serves no pages, because web.listen is not set") }
        try await front.run()
    }

    nonisolated func stop() async { await front?.departure.end() }
}

import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_RunningTemplate)
public func runningTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(RunningTemplateModule.self)
}

/// A module without screens. A serving host runs it.
final class RunningTemplateModule: Module {
    private let heartbeat: Heartbeat

    init(services: any ServiceResolver) throws {
        heartbeat = Heartbeat(clock: try services.resolve(.clock), logger: try services.resolve(.logger))
    }

    static func register(with registrar: Registrar<RunningTemplateModule>) {}

    nonisolated func run() async throws { try await heartbeat.run() }
}

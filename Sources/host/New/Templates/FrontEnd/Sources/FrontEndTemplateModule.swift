import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_FrontEndTemplate)
public func frontEndTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(FrontEndTemplateModule.self)
}

/// A module that shows the start route in a window, and writes each new screen to a file.
final class FrontEndTemplateModule: Module {
    private let frontEnd: FrontEnd

    init(services: any ServiceResolver) throws {
        let folder = try services.resolve(.stateFolder).path
        frontEnd = FrontEnd(windows: try services.resolve(.windows), pages: PageFile(folder: folder))
    }

    static func register(with registrar: Registrar<FrontEndTemplateModule>) {}

    nonisolated func run() async throws { try await frontEnd.run() }
}

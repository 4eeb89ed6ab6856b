import ViperKit

/// The library's entry point.
@c(viper_entry_v1_Terminal)
public func terminalModule() -> UnsafeRawPointer { ModuleEntry.export(TerminalModule.self) }

/// A module that draws the screens of a session on a terminal.
final class TerminalModule: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<TerminalModule>) {
        registrar.service(.terminalFrontEnd, .singleton) { _, _ in
            try Curses.check()
            return CursesFrontEnd()
        }
    }
}

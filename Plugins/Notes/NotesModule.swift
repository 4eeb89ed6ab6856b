import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_Notes)
public func notesModule() -> UnsafeRawPointer { ModuleEntry.export(NotesModule.self) }

/// A module in which people write notes. The host's data provider stores them.
final class NotesModule: Module {
    private let notes: any NoteStore

    init(services: any ServiceResolver) throws {
        notes = ProvidedNoteStore(provider: try services.resolve(.dataProvider))
    }

    static func register(with registrar: Registrar<NotesModule>) {
        registrar.route(NotesRoute.self) { module, _, navigator in
            NotesWireframe.assemble(notes: module.notes, navigator: navigator)
        }
        registrar.route(EditNoteRoute.self) { module, arguments, navigator in
            EditNoteWireframe.assemble(arguments.id, notes: module.notes, navigator: navigator)
        }
    }
}

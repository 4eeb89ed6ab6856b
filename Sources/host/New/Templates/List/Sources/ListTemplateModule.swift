import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_ListTemplate)
public func listTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(ListTemplateModule.self)
}

/// A module that lists the items in `items.json`, which is one of the module's resources.
final class ListTemplateModule: Module {
    private let files: any FileReader

    init(services: any ServiceResolver) throws {
        files = try services.resolve(.fileReader)
    }

    static func register(with registrar: Registrar<ListTemplateModule>) {
        registrar.route("list-template") { module, request in
            ListWireframe.assemble(files: module.files, navigator: request.navigator)
        }
    }
}

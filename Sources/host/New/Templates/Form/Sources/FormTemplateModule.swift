import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_FormTemplate)
public func formTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(FormTemplateModule.self)
}

/// A module with a form for adding entries. The data provider stores the entries.
final class FormTemplateModule: Module {
    private let provider: any DataProvider

    init(services: any ServiceResolver) throws {
        provider = try services.resolve(.dataProvider)
    }

    static func register(with registrar: Registrar<FormTemplateModule>) {
        registrar.route("form-template") { module, request in
            FormWireframe.assemble(provider: module.provider, navigator: request.navigator)
        }
    }
}

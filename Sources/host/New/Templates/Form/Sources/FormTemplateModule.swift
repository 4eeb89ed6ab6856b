import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_FormTemplate)
public func formTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(FormTemplateModule.self)
}

/// A module with a form for adding entries. The data provider stores the entries.
final class FormTemplateModule: RoutedModule {
    private let provider: any DataProvider

    init(services: any ServiceResolver) throws {
        provider = try services.resolve(.dataProvider)
    }

    func view(for request: RouteRequest) -> any View {
        FormWireframe.assemble(provider: provider, navigator: request.navigator)
    }
}

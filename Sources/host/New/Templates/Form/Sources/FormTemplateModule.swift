import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_FormTemplate)
public func formTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(FormTemplateModule.self)
}

/// Adds entries. Where they are kept is the data provider's business.
final class FormTemplateModule: RoutedModule {
    private let provider: any DataProvider

    init(services: any ServiceResolver) throws {
        provider = try services.resolve(.dataProvider)
    }

    func view(for request: RouteRequest) -> any View {
        FormWireframe.assemble(provider: provider, navigator: request.navigator)
    }
}

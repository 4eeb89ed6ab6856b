import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_ListTemplate)
public func listTemplateModule() -> UnsafeRawPointer {
    ModuleEntry.export(ListTemplateModule.self)
}

/// A module that lists the items in `items.json`, which is one of the module's resources.
final class ListTemplateModule: RoutedModule {
    private let files: any FileReader

    init(services: any ServiceResolver) throws {
        files = try services.resolve(.fileReader)
    }

    func view(for request: RouteRequest) -> any View {
        ListWireframe.assemble(files: files, navigator: request.navigator)
    }
}

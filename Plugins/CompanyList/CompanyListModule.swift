import ViperKit

/// The library's entry: the host calls it once, after loading.
@c(viper_module_v1_CompanyList)
public func companyListModule() -> UnsafeRawPointer { ModuleEntry.export(CompanyListModule.self) }

/// Lists people by company, from `company.json` in the module's resources.
final class CompanyListModule: RoutedModule {
    private let files: any FileReader

    init(services: any ServiceResolver) throws {
        files = try services.resolve(.fileReader)
    }

    func view(for request: RouteRequest) -> any View {
        CompanyListWireframe.assemble(files: files, navigator: request.navigator)
    }
}

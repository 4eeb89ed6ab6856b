import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_CompanyList)
public func companyListModule() -> UnsafeRawPointer { ModuleEntry.export(CompanyListModule.self) }

/// A module that lists people by company and shows a person's details. It reads the people from `company.json` in its
/// resources.
final class CompanyListModule: RoutedModule {
    static let routeArguments: [any RouteArguments.Type] = [PersonRoute.self]

    private let files: any FileReader

    init(services: any ServiceResolver) throws {
        files = try services.resolve(.fileReader)
    }

    func view(for request: RouteRequest) throws -> any View {
        switch request.route {
        case PersonRoute.route:
            let id = try request.arguments(as: PersonRoute.self).id
            return PersonWireframe.assemble(id: id, files: files, navigator: request.navigator)
        case "list":
            return CompanyListWireframe.assemble(files: files, navigator: request.navigator)
        default: throw request.unknownRouteError
        }
    }
}

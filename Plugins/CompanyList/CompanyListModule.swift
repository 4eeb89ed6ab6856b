import ViperKit

/// The library's entry point. The host calls it after loading the library.
@c(viper_entry_v1_CompanyList)
public func companyListModule() -> UnsafeRawPointer { ModuleEntry.export(CompanyListModule.self) }

/// A module that lists people by company, searches them, and compares the balances of companies. It reads the people from
/// `company.json` in its resources, and another module shows the details of a person.
final class CompanyListModule: Module {
    private let files: any FileReader

    init(services: any ServiceResolver) throws {
        files = try services.resolve(.fileReader)
    }

    static func register(with registrar: Registrar<CompanyListModule>) {
        registrar.route("list") { module, request in
            CompanyListWireframe.assemble(files: module.files, navigator: request.navigator)
        }
        registrar.route(CompanySearchRoute.self) { module, search, navigator in
            CompanySearchWireframe.assemble(search, files: module.files, navigator: navigator)
        }
        registrar.route(BalanceChartRoute.self) { module, _, navigator in
            BalanceChartWireframe.assemble(files: module.files, navigator: navigator)
        }
        registrar.route(PersonRoute.self) { module, person, navigator in
            PersonWireframe.assemble(id: person.id, files: module.files, navigator: navigator)
        }
    }
}

import HostDriver

extension ModuleFixture {
    /// A module with the name, entry and types of the bundled CompanyList. Its `Person` has another layout, so a mix-up
    /// of the two modules is noticed.
    static let twin = ModuleFixture(
        "CompanyList",
        """
        import Observation
        import ViperKit

        @c(viper_entry_v1_CompanyList)
        public func companyListModule() -> UnsafeRawPointer { ModuleEntry.export(CompanyListModule.self) }

        final class CompanyListModule: Module {
            init(services: any ServiceResolver) throws { _ = try services.resolve(.fileReader) }
            static func register(with registrar: Registrar<CompanyListModule>) {
                for route in ["twin", "shared", "list", "list/chart", "list/search", "person"] {
                    registrar.route(route) { _, _ in CompanyListView(presenter: CompanyListPresenter()) }
                }
            }
        }

        struct Person: Codable, Hashable {
            var age: Int
            var nicknames: [String: Int]
        }

        @MainActor
        protocol CompanyListPresenting: AnyObject { func load() async -> [Section] }

        final class CompanyListPresenter: CompanyListPresenting {
            func load() async -> [Section] {
                let people: Set = [Person(age: 36, nicknames: ["Ada": 1])]
                let rows = people.map { Row(id: "0", title: "\\($0.nicknames.keys.first ?? "")", detail: "\\($0.age)") }
                return [Section(title: "Twins", rows: rows)]
            }
        }

        @Observable
        final class CompanyListView: View {
            private(set) var screen = Screen(title: "Another list")
            private let presenter: any CompanyListPresenting
            init(presenter: any CompanyListPresenting) { self.presenter = presenter }
            func load() async { screen.sections = await presenter.load() }
        }
        """)
}

extension ManifestText {
    static var twin: ManifestText {
        var manifest = ManifestText("twin", library: "libTwin.so", routes: ["twin"])
        manifest.requires = ["file-reader"]
        return manifest
    }
}

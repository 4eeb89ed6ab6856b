extension ModuleTemplate {
    /// Returns the template of a list that shows the contents of a JSON file, with all five roles.
    static func list(_ name: ModuleName) -> ModuleTemplate {
        ModuleTemplate(
            sources: [
                "\(name.type)Module.swift": listModule(name),
                "Item.swift": item,
                "ListProtocols.swift": listProtocols,
                "ListView.swift": listView(name),
                "ListPresenter.swift": listPresenter,
                "ListInteractor.swift": listInteractor,
                "ListWireframe.swift": listWireframe,
            ],
            tests: ["ListRoleTests.swift": listRoleTests(name), "ListSceneTests.swift": listSceneTests(name)],
            resources: ["items.json": items],
            manifestKeys: """
                  "routes": [{ "name": "\(name.kebab)", "summary": "Lists items by group" }],
                  "requires": ["file-reader"],
                  "provides": [],
                  "resources": "\(name.type)/Resources"
                """,
            trial: "host run \(name.kebab) --select 0")
    }

    private static func listModule(_ name: ModuleName) -> String {
        #"""
        import ViperKit

        /// The library's entry: the host calls it once, after loading.
        @c(viper_module_v1_\#(name.type))
        public func \#(name.function)Module() -> UnsafeRawPointer {
            ModuleEntry.export(\#(name.type)Module.self)
        }

        /// Lists the items of `items.json`, a file in the module's resources.
        final class \#(name.type)Module: RoutedModule {
            private let files: any FileReader

            init(services: any ServiceResolver) throws {
                files = try services.resolve(.fileReader)
            }

            func view(for request: RouteRequest) -> any View {
                ListWireframe.assemble(files: files, navigator: request.navigator)
            }
        }

        """#
    }

    private static let item = #"""
        /// One item of `items.json`.
        struct Item: Sendable, Equatable, Decodable {
            var title: String
            var group: String
            var detail: String
        }

        """#

    private static let listProtocols = #"""
        import ViperKit

        // What the roles know of each other. In its test, each role has fakes around it.

        /// What the presenter asks of the view.
        @MainActor
        protocol ListViewing: AnyObject {
            func showLoading()
            func show(_ sections: [Section])
            /// Shows a text above the list.
            func show(_ text: String)
            func show(_ alert: Alert)
        }

        /// What the view asks of the presenter.
        @MainActor
        protocol ListPresenting: AnyObject {
            func load() async
            func select(_ row: String)
            func press(_ action: String) async
        }

        /// What the presenter asks of the interactor.
        protocol ListInteracting: Sendable {
            /// All items, in the file's order.
            func items() async throws(ViperError) -> [Item]
        }

        /// What the presenter asks of the wireframe.
        @MainActor
        protocol ListNavigating: AnyObject {
            func close() async
        }

        /// What a person can do here: the view or an alert shows it, and the presenter does it.
        enum ListAction {
            static let close = Action(id: "close", title: "Close")
        }

        """#

    private static func listView(_ name: ModuleName) -> String {
        #"""
        import Observation
        import ViperKit

        /// Describes the list as a screen, and passes on what a person does.
        @Observable
        final class ListView: View, ListViewing {
            private(set) var screen = Screen(title: "\#(name.title)")
            private let presenter: any ListPresenting

            init(presenter: any ListPresenting) {
                self.presenter = presenter
                screen.actions = [ListAction.close]
            }

            func viewDidLoad() async { await presenter.load() }

            func handle(_ event: Event) async {
                switch event {
                case .select(let row): presenter.select(row)
                case .press(let action): await presenter.press(action)
                default: break
                }
            }

            func showLoading() { screen.isLoading = true }

            func show(_ sections: [Section]) {
                screen.isLoading = false
                screen.sections = sections
                screen.empty = sections.isEmpty ? "Nothing to list" : nil
            }

            func show(_ text: String) { screen.text = text }

            func show(_ alert: Alert) {
                screen.isLoading = false
                // The alert's actions are all that is left to do.
                screen.actions = []
                screen.alert = alert
            }
        }

        """#
    }

    private static let listPresenter = #"""
        import ViperKit

        /// Puts items into sections, and decides every word that a person reads.
        final class ListPresenter: Presenter, ListPresenting {
            weak var view: (any ListViewing)?
            private var items: [Item] = []
            private let interactor: any ListInteracting
            private let wireframe: any ListNavigating

            init(interactor: any ListInteracting, wireframe: any ListNavigating) {
                (self.interactor, self.wireframe) = (interactor, wireframe)
            }

            func load() async {
                view?.showLoading()
                do {
                    items = try await interactor.items()
                    view?.show(Self.sections(of: items))
                } catch {
                    view?.show(
                        Alert(title: "Cannot read the list", message: error.summary, actions: [ListAction.close]))
                }
            }

            func select(_ row: String) {
                guard let place = items.indices.first(where: { Self.id(of: $0) == row }) else { return }
                view?.show("\(items[place].title): \(items[place].detail)")
            }

            func press(_ action: String) async {
                if action == ListAction.close.id { await wireframe.close() }
            }

            /// Groups alphabetically, items in the order in which they come.
            private static func sections(of items: [Item]) -> [Section] {
                let groups = Dictionary(grouping: items.enumerated(), by: \.element.group)
                return groups.sorted { $0.key < $1.key }.map { group, items in
                    Section(title: group, rows: items.map { Row(id: id(of: $0.offset), title: $0.element.title) })
                }
            }

            /// The id of the row of the item at this place.
            private static func id(of place: Int) -> String { "\(place)" }
        }

        """#

    private static let listInteractor = #"""
        import ViperKit

        /// The use case: read all items.
        struct ListInteractor: Interactor, ListInteracting {
            static let file = "items.json"

            let files: any FileReader

            func items() async throws(ViperError) -> [Item] {
                try await files.decode([Item].self, from: Self.file)
            }
        }

        """#

    private static let listWireframe = #"""
        import ViperKit

        /// Assembles the list's roles, and navigates from it.
        final class ListWireframe: Wireframe, ListNavigating {
            private let navigator: any Navigator

            init(navigator: any Navigator) { self.navigator = navigator }

            static func assemble(files: any FileReader, navigator: any Navigator) -> any View {
                let presenter = ListPresenter(
                    interactor: ListInteractor(files: files), wireframe: ListWireframe(navigator: navigator))
                let view = ListView(presenter: presenter)
                presenter.view = view
                return view
            }

            func close() async { await navigator.close() }
        }

        """#

    private static let items = #"""
        [
          { "title": "Read", "group": "First", "detail": "ListInteractor.swift reads this list from Resources/items.json." },
          { "title": "Change", "group": "First", "detail": "ListPresenter.swift decides what a person reads." },
          { "title": "Test", "group": "Then", "detail": "The tests hold each role alone, and all of them together." }
        ]

        """#
}

import HostDriver

extension ManifestText {
    static func faulty(_ name: String, route: String? = nil) -> ManifestText {
        ManifestText("faulty", library: "lib\(name).so", routes: [route ?? name])
    }
}

extension ModuleFixture {
    /// A module with one route, which is named after its library, and the fault of that name.
    static let faulty = ModuleFixture.named(
        "Faulty",
        """
        import ViperKit
        import Glibc

        @c(viper_entry_v1_Faulty)
        public func faultyModule() -> UnsafeRawPointer { ModuleEntry.export(Faulty.self) }

        struct Unmade: Error {}

        final class Faulty: Module {
            private let services: any ServiceResolver
            init(services: any ServiceResolver) throws {
                if getenv("FAULTY_MAKE") != nil { throw Unmade() }
                self.services = services
            }
            static func register(with registrar: Registrar<Faulty>) {
                registrar.route(ownName()) { module, request in try module.view(for: request) }
            }

            func view(for request: RouteRequest) throws -> any View {
                switch request.route {
                case "fine": break
                case "crash": let empty: [Int] = []; print(empty[request.route.utf8.count])
                case "exit": exit(0)
                case "refused": throw ViperError(.fileMissing, operation: "cannot read", subject: "x.json", cause: "there is none")
                case "lines": throw ViperError(.fileMissing, operation: "cannot read", subject: "x.json", cause: "one\\ntwo")
                case "mistyped": _ = try request.parameter("count", as: String.self)
                case "denied": _ = try? services.resolve(.fileReader)
                case "needy": _ = try! services.resolve(.logger)
                case "busy": _ = try services.resolve(.dataProvider)
                case "dated": if try request.parameter("day", as: String.self) != "2026-11-21" { throw Unmade() }
                case "away": chdir("/")
                case "chatty": print("[\\"no result\\"]")
                default: break
                }
                let view = FaultyView(request.route)
                if request.route == "cycle" { view.itself = view }
                return view
            }
        }

        @MainActor var leaked: [[UInt8]] = []

        final class FaultyView: View {
            let route: String
            var itself: FaultyView?
            var screen: Screen {
                var screen = Screen(title: route)
                screen.actions = [Action(id: "press", title: "Press")]
                if hasTwins { screen.sections = [Section(rows: [row, row])] }
                return screen
            }
            var hasTwins: Bool
            let row = Row(id: "twin", title: "Twin")
            init(_ route: String) { (self.route, hasTwins) = (route, route == "twins") }
            func load() async {
                if route == "hang" { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
                if route == "grow" { leaked.append([UInt8](repeating: 1, count: 1000)) }
            }
            func handle(_ event: Event) async {
                if route == "press", event == .press(action: "press") { hasTwins = true }
                if route == "brittle", case .press("no such action") = event { fatalError("brittle") }
            }
        }
        """)
}

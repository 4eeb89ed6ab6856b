import HostDriver

extension ModuleFixture {
    /// A module that fails at the place named by `$TROUBLE`.
    static let trouble = ModuleFixture(
        "Trouble",
        """
        import Glibc
        import ViperKit

        private var trouble: String { getenv("TROUBLE").map { String(cString: $0) } ?? "" }

        @c(viper_entry_v1_Trouble)
        public func entry() -> UnsafeRawPointer? {
            switch trouble {
            case "null": nil
            case "stranger": UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16).zeroed)
            default: ModuleEntry.export(Trouble.self)
            }
        }

        extension UnsafeMutableRawPointer {
            var zeroed: Self {
                memset(self, 0, 64)
                return self
            }
        }

        struct Mishap: Error { var depth: Int }

        final class Trouble: Module {
            init(services: any ServiceResolver) throws {
                if trouble == "init" { throw Mishap(depth: 3) }
                if trouble == "denied" { _ = try services.resolve(.logger) }
            }

            static func register(with registrar: Registrar<Trouble>) {
                for route in ["bad", "trouble"] {
                    registrar.route(route) { module, request in try module.view(for: request) }
                }
            }

            func view(for request: RouteRequest) throws -> any View {
                if trouble == "view" { throw Mishap(depth: 4) }
                return Quiet()
            }
        }

        final class Quiet: View { let screen = Screen(title: "No trouble") }
        """)

    static let entryless = ModuleFixture("Entryless", "import ViperKit\npublic let screen = Screen(title: \"\")")

    static let twoEntries = ModuleFixture("TwoEntries", minimal("viper_entry_v1_One", "viper_entry_v1_Two"))

    /// A library with the entry of a later binary interface.
    static let nextEntry = ModuleFixture("NextEntry", minimal("viper_entry_v2_NextEntry"))

    /// Returns the source of a module with one view. Each test's manifest declares one of its routes.
    static func minimal(_ entries: String..., rest: String = "") -> String {
        let routes = ["minimal", "small", "bad", "user", "marked", "veteran", "careful", "older", "loner"]
        let functions = entries.enumerated().map { index, entry in
            """
            @c(\(entry))
            public func entry\(index)() -> UnsafeRawPointer { ModuleEntry.export(Minimal.self) }

            """
        }
        return """
            import ViperKit

            \(functions.joined())
            final class Minimal: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<Minimal>) {
                    for route in \(routes) { registrar.route(route) { _, _ in MinimalView() } }
                }
            }

            final class MinimalView: View {
                var screen: Screen {
                    var screen = Screen(title: "Minimal")
                    \(rest)
                    return screen
                }
            }
            """
    }
}

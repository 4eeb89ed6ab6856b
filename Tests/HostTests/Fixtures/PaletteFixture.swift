import HostDriver

extension ModuleFixture {
    /// A module that reads its parameters as types, and that opens its own route with arrays and enumerations.
    static let palette = ModuleFixture(
        "Palette",
        """
        import ViperKit

        @c(viper_entry_v1_Palette)
        public func paletteModule() -> UnsafeRawPointer { ModuleEntry.export(PaletteModule.self) }

        enum Tone: String, Codable, CaseIterable { case red, green }

        struct PaletteRoute: RouteArguments {
            static let route = "palette"
            var tone: Tone
            var shades: [Int]
            var names: [String]
            var opacity: Double?
        }

        struct FirstRoute: RouteArguments {
            static let route = "palette/first"
        }

        final class PaletteModule: Module {
            init(services: any ServiceResolver) {}

            static func register(with registrar: Registrar<PaletteModule>) {
                registrar.route(PaletteRoute.self) { _, palette, _ in PaletteView(palette) }
                registrar.route(FirstRoute.self) { _, _, navigator in FirstView(navigator) }
            }
        }

        final class PaletteView: View {
            var screen = Screen(title: "Palette")
            init(_ route: PaletteRoute) {
                let opacity = route.opacity.map { "\\($0)" } ?? "none"
                screen.text = "\\(route.tone) \\(route.shades) \\(route.names) \\(opacity)"
            }
        }

        final class FirstView: View {
            var screen = Screen(title: "First")
            private let navigator: any Navigator
            init(_ navigator: any Navigator) {
                self.navigator = navigator
                screen.actions = [Action(id: "go", title: "Go"), Action(id: "wrong", title: "Wrong")]
            }
            func handle(_ event: Event) async {
                guard case .press(let action) = event else { return }
                let shades = action == "go" ? [1, 9] : [10]
                do {
                    try await navigator.open(
                        PaletteRoute(tone: .green, shades: shades, names: ["a,b", ""], opacity: 0.5), as: .push)
                } catch { screen.text = error.summary }
            }
        }
        """)
}

extension ManifestText {
    static var palette: ManifestText { palette() }

    /// - Parameters:
    ///   - route: The name of the route that shows a palette.
    ///   - tone: The members of the parameter `tone` after its name.
    ///   - others: Further parameters.
    static func palette(
        route: String = "palette", tone: String = #""type": "string", "enum": ["red", "green"]"#, others: String = ""
    ) -> ManifestText {
        ManifestText(
            "palette", library: "libPalette.so",
            routes: [
                """
                {
                  "name": "\(route)", "summary": "Shows a palette",
                  "parameters": [
                    { "name": "tone", \(tone), "summary": "The tone" },
                    { "name": "shades", "type": "array", "items": "integer", "minimum": 1, "maximum": 9,
                      "default": [5], "summary": "The shades" },
                    { "name": "names", "type": "array", "items": "string", "summary": "The names" },
                    { "name": "opacity", "type": "number", "minimum": 0, "maximum": 1, "default": null,
                      "summary": "The opacity" }\(others)
                  ]
                }
                """, "palette/first",
            ])
    }
}

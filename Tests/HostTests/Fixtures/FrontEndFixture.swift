import HostDriver

extension ModuleFixture {
    /// A front end that shows two windows with the launcher, by writing each new screen to the file `screens` in its state
    /// folder. A line consists of the version, the window's ID, `open` or `closed`, and the titles of the rows.
    ///
    /// It keeps the IDs of its windows as records, so that a later version takes the windows up again.
    static func frontEnd(_ version: String) -> Self {
        ModuleFixture(
            "FrontEnd",
            """
            import Glibc
            import ViperKit

            @c(viper_entry_v1_FrontEnd)
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(FrontEnd.self) }

            struct HeldWindow: Record {
                var id: String
                var number: Int
            }

            final class FrontEnd: Module {
                private let windows: any Windows
                private let provider: any DataProvider
                private let file: String

                init(services: any ServiceResolver) throws {
                    windows = try services.resolve(.windows)
                    provider = try services.resolve(.dataProvider)
                    file = try services.resolve(.stateFolder).path + "/screens"
                }

                static func register(with registrar: Registrar<FrontEnd>) {}

                nonisolated func run() async throws {
                    let held = try await held()
                    await withTaskGroup(of: Void.self) { group in
                        for window in held {
                            group.addTask { for await state in window.states() { self.show(state, of: window.id) } }
                        }
                    }
                }

                /// Returns the windows of the earlier version, or two new ones.
                private nonisolated func held() async throws -> [any OpenWindow] {
                    var held: [any OpenWindow] = []
                    for window in try await provider.all(HeldWindow.self, in: "windows") {
                        held.append(try await windows.take(window.number, of: "wall"))
                    }
                    while held.count < 2 {
                        let window = try await windows.open("launcher", for: "wall")
                        held.append(window)
                        try await provider.insert(HeldWindow(id: "\\(window.id)", number: window.id), into: "windows")
                    }
                    return held
                }

                private nonisolated func show(_ state: WindowState, of window: Int) {
                    let titles = state.screen.sections.flatMap { $0.rows.map(\\.title) }.joined(separator: ", ")
                    let line = "\(version) \\(window) \\(state.isClosed ? "closed" : "open") \\(titles)\\n"
                    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                    write(descriptor, line, line.utf8.count)
                    close(descriptor)
                }
            }
            """)
    }
}

extension ManifestText {
    static var frontEnd: Self {
        var manifest = ManifestText("front-end", library: "libFrontEnd.so", routes: [])
        manifest.requires = ["windows", "data-provider", "state-folder"]
        manifest.runs = "true"
        return manifest
    }
}

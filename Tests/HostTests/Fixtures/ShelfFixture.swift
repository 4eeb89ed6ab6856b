import HostDriver

extension ModuleFixture {
    /// A module that shows the contents of three files, or why they cannot be read. It reads them again on `again`.
    static func shelf(_ version: String = "1") -> Self {
        ModuleFixture(
            "Shelf",
            """
            import Observation
            import ViperKit

            @c(viper_entry_v1_Shelf)
            public func shelfModule() -> UnsafeRawPointer { ModuleEntry.export(Shelf.self) }

            final class Shelf: Module {
                let files: any FileReader
                init(services: any ServiceResolver) throws { files = try services.resolve(.fileReader) }
                static func register(with registrar: Registrar<Shelf>) {
                    registrar.route("shelf") { module, _ in ShelfView(module.files) }
                }
            }

            @Observable
            final class ShelfView: View {
                private(set) var screen = Screen(title: "Shelf \(version)")
                private let files: any FileReader
                init(_ files: any FileReader) {
                    self.files = files
                    screen.actions = [Action(id: "again", title: "Again")]
                }

                func load() async { await read() }
                func handle(_ event: Event) async { await read() }

                private func read() async {
                    var lines: [String] = []
                    for name in ["one.txt", "deep/two.txt", "none.txt"] {
                        do { lines.append(String(decoding: try await files.read(name), as: UTF8.self)) } catch {
                            lines.append("\\(error.code.name): \\(error.cause)")
                        }
                    }
                    screen.text = lines.joined(separator: "; ")
                }
            }
            """)
    }
}

extension ManifestText {
    /// The manifest of ``ModuleFixture/shelf(_:)`` as text.
    static func shelf(_ version: String = "1.0.0", isolation: String = "none") -> String {
        """
        {"name": "shelf", "version": "\(version)", "library": "libShelf.so", "sdk": "1.0", "resources": "Shelf/Resources",
         "requires": ["file-reader"], "provides": [], "isolation": "\(isolation)",
         "routes": [{"name": "shelf", "summary": "Shows files"}]}
        """
    }
}

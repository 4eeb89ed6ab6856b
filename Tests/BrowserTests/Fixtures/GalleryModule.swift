import Foundation
import HostDriver
import TestSupport
import ViperKit

/// A module with a route for each screen that a test gives it.
enum GalleryModule {
    private static func fixture(_ routes: [String]) -> ModuleFixture {
        ModuleFixture(
            "Gallery",
            """
            import Observation
            import ViperKit

            @c(viper_entry_v1_Gallery)
            public func galleryModule() -> UnsafeRawPointer { ModuleEntry.export(Gallery.self) }

            final class Gallery: Module {
                let files: any FileReader
                init(services: any ServiceResolver) throws { files = try services.resolve(.fileReader) }
                static func register(with registrar: Registrar<Gallery>) {
                    for route in \(routes) {
                        registrar.route(route) { module, request in GalleryView(module.files, request.route) }
                    }
                }
            }

            @Observable
            final class GalleryView: View {
                private(set) var screen = Screen(title: "")
                private let files: any FileReader
                private let route: String
                init(_ files: any FileReader, _ route: String) { (self.files, self.route) = (files, route) }

                func load() async {
                    do { screen = try await files.decode(Screen.self, from: route.dropFirst(8) + ".json") } catch {
                        screen.text = error.description
                    }
                }
            }
            """)
    }

    /// Adds the module to a root. The route of a screen is `gallery/NAME`.
    static func add(_ screens: [(name: String, screen: Screen)], to root: ScratchRoot) async throws {
        let folder = "\(root.path)/Plugins/Gallery"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, screen) in screens {
            try JSONEncoder().encode(screen).write(to: URL(filePath: "\(folder)/\(name).json"))
        }
        let icon = "\(Products.repository)/Plugins/Web/Resources/icon.svg"
        try FileManager.default.copyItem(atPath: icon, toPath: "\(folder)/logo.svg")
        let names = screens.map { "gallery/\($0.name)" }
        try root.copy(await fixture(names).compiled(), to: "libGallery.so")
        let routes = names.map { #"{ "name": "\#($0)", "summary": "Shows a sample" }"# }
        try root.add(
            manifest: """
                {
                  "name": "gallery", "version": "1.0.0", "library": "libGallery.so", "sdk": "1.0",
                  "routes": [\(routes.joined(separator: ", "))], "requires": ["file-reader"], "provides": [],
                  "resources": "Gallery"
                }
                """, as: "gallery.json")
    }
}

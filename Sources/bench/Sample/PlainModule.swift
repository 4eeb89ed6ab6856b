import Foundation
import HostDriver

/// A small module that answers any route with its title. The benchmark compiles it into a library.
struct PlainModule {
    private let title: String

    init(title: String) { self.title = title }

    var source: String {
        """
        import ViperKit

        @c(viper_entry_v1_Plain)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Plain.self) }

        final class Plain: RoutedModule {
            init(services: any ServiceResolver) {}
            func view(for request: RouteRequest) -> any View { PlainView() }
        }

        final class PlainView: View { let screen = Screen(title: "\(title)") }

        """
    }

    /// Returns the path of the library.
    func compiled() async throws -> String { try await ModuleFixture("Plain", source).compiled() }

    func content() async throws -> Data { try Data(contentsOf: URL(filePath: await compiled())) }

    /// Installs copies of the module with the names and routes `plain0`, `plain1` and so on.
    func install(_ count: Int, in root: ScratchRoot) async throws {
        let library = try await compiled()
        for number in 0..<count {
            let name = "libPlain\(number).so"
            try root.copy(library, to: name)
            try root.add(ManifestText("plain\(number)", library: name, routes: ["plain\(number)"]))
        }
    }
}

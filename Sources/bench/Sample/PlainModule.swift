import Foundation
import HostDriver

/// A small module with one route, which shows its title. The benchmark compiles it into a library.
struct PlainModule {
    private let title: String

    init(title: String) { self.title = title }

    /// The source of a module with the route `plain`.
    var source: String { source(route: "\"plain\"") }

    private func source(route: String) -> String {
        """
        import ViperKit

        @c(viper_entry_v1_Plain)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Plain.self) }

        final class Plain: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Plain>) {
                registrar.route(\(route)) { _, _ in PlainView() }
            }
        }

        final class PlainView: View { let screen = Screen(title: "\(title)") }

        """
    }

    /// Returns the path of the library. Its route has the name of its file without `lib` and `.so`.
    func compiled() async throws -> String {
        try await ModuleFixture.named("Plain", source(route: "ownName()")).compiled()
    }

    func content() async throws -> Data { try Data(contentsOf: URL(filePath: await compiled())) }

    /// Installs copies of the module with the names and routes `plain0`, `plain1` and so on.
    func install(_ count: Int, in root: ScratchRoot) async throws {
        let library = try await compiled()
        for number in 0..<count {
            let name = "libplain\(number).so"
            try root.copy(library, to: name)
            try root.add(ManifestText("plain\(number)", library: name, routes: ["plain\(number)"]))
        }
    }
}

import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct NetworkTests {
    private static let asking = ModuleFixture(
        "Asking",
        """
        import ViperKit

        @c(viper_entry_v1_Asking)
        public func askingModule() -> UnsafeRawPointer { ModuleEntry.export(Asking.self) }

        final class Asking: Module {
            private let client: any HTTPClient
            init(services: any ServiceResolver) throws { client = try services.resolve(.httpClient) }
            static func register(with registrar: Registrar<Asking>) {
                registrar.route("asking") { module, request in module.view(for: request) }
            }

            func view(for request: RouteRequest) -> any View { AskingView(client) }
        }

        final class AskingView: View {
            private let client: any HTTPClient
            private(set) var screen = Screen(title: "Asking")
            init(_ client: any HTTPClient) { self.client = client }
            func load() async {
                var request = HTTPRequest(method: "GET", url: "http://name.invalid/")
                request.timeLimit = .milliseconds(300)
                do throws(ViperError) { _ = try await client.send(request) } catch { screen.text = error.cause }
            }
        }
        """)

    @Test("A hanging name lookup ends at the request's time limit", .hangLimit)
    func hangingNames() async throws {
        let root = try ScratchRoot()
        var manifest = ManifestText("asking", library: "libAsking.so", routes: ["asking"])
        manifest.requires = ["http-client"]
        try await root.add(Self.asking, manifest)
        try root.copyManifest("http-client")
        // Replaces the lookup function by one that never returns.
        let source = "\(root.folder.path)/names.c"
        try "#include <unistd.h>\nint getaddrinfo(void) { for (;;) pause(); }\n".write(
            toFile: source, atomically: false, encoding: .utf8)
        let library = "\(root.folder.path)/libnames.so"
        let compiled = try await ChildProcess("clang", ["-shared", "-fPIC", source, "-o", library]).run()
        #expect(compiled.ending == .code(0), "\(compiled)")
        let result = try await root.host("run", "asking", environment: ["LD_PRELOAD": library])
        #expect(result.text == "Asking\nit took longer than 0.3 seconds\n", "\(result)")
    }
}

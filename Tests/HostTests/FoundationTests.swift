import Foundation
import TestSupport
import Testing

/// Modules that bring Foundation into a host that has none. While it is loaded it initialises libdispatch once more, which
/// stops the main actor for good when it happens on the wrong thread.
@Suite(.fewAtOnce)
struct FoundationTests {
    private static func module(_ name: String, import library: String, text: String) -> ModuleFixture {
        ModuleFixture(
            name,
            """
            import \(library)
            import Foundation
            import ViperKit

            @c(viper_module_v1_\(name))
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(TheModule.self) }

            final class TheModule: RoutedModule {
                init(services: any ServiceResolver) {}
                func view(for request: RouteRequest) -> any View { TheView() }
            }

            final class TheView: View {
                private(set) var screen = Screen(title: "\(name)")

                func viewDidLoad() async {
                    for _ in 0..<3 {
                        let text = await work()
                        await Task.yield()
                        screen.text = text
                    }
                }
            }

            @concurrent func work() async -> String {
                try? await Task.sleep(for: .milliseconds(1))
                \(text)
            }
            """)
    }

    private func expectScreen(of fixture: ModuleFixture, _ text: String) async throws {
        let root = try ScratchRoot()
        try await root.add(fixture, ManifestText("user", library: "libUser.so", routes: ["user"]))
        let result = try await root.host("run", "user")
        #expect(result.ending == .code(0))
        #expect(result.text == text, "\(result)")
        #expect(result.errors == "")
    }

    @Test("a module that imports Foundation works in a host without it")
    func foundation() async throws {
        let fixture = Self.module(
            "UsesFoundation", import: "Foundation",
            text:
                #"return await MainActor.run { String(format: "%.2f", 1.5) } + " \(Calendar(identifier: .iso8601).firstWeekday)""#
        )
        try await expectScreen(of: fixture, "UsesFoundation\n1.50 2\n")
    }

    @Test("a module that asks over the network works in a host without it")
    func networking() async throws {
        // Nobody listens on port 9, so the answer is an error; what counts is that it comes.
        let fixture = Self.module(
            "UsesNetworking", import: "FoundationNetworking",
            text: """
                guard let url = URL(string: "http://127.0.0.1:9/") else { return "no URL" }
                do {
                    return "\\(try await URLSession.shared.data(from: url).0.count)"
                } catch {
                    return "\\(type(of: error)) \\((error as? URLError)?.code == .cannotConnectToHost)"
                }
                """)
        try await expectScreen(of: fixture, "UsesNetworking\nURLError true\n")
    }

    @Test("neither the host nor ViperKit links the network, which would cost every start")
    func notLinked() throws {
        for file in [Products.host, "\(Products.folder)/libViperKit.so"] {
            let binary = try Data(contentsOf: URL(filePath: file))
            #expect(binary.range(of: Data("libswiftCore.so".utf8)) != nil, "\(file)")
            #expect(binary.range(of: Data("libFoundationNetworking.so".utf8)) == nil, "\(file)")
        }
    }
}

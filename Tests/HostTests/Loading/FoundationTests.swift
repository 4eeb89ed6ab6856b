import Foundation
import HostDriver
import TestSupport
import Testing

/// Modules that load Foundation into a host without it. Loading Foundation initialises libdispatch again, which blocks
/// the main actor forever if it happens on the wrong thread.
@Suite(.fewAtOnce)
struct FoundationTests {
    private static func module(_ name: String, import library: String, text: String) -> ModuleFixture {
        ModuleFixture(
            name,
            """
            import \(library)
            import Foundation
            import ViperKit

            @c(viper_entry_v1_\(name))
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(TheModule.self) }

            final class TheModule: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<TheModule>) {
                    registrar.route("user") { _, _ in TheView() }
                }
            }

            final class TheView: View {
                private(set) var screen = Screen(title: "\(name)")

                func load() async {
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

    @Test("A module that imports Foundation works in a host without it")
    func foundation() async throws {
        let fixture = Self.module(
            "UsesFoundation", import: "Foundation",
            text:
                #"return await MainActor.run { String(format: "%.2f", 1.5) } + " \(Calendar(identifier: .iso8601).firstWeekday)""#
        )
        try await expectScreen(of: fixture, "UsesFoundation\n1.50 2\n")
    }

    @Test("A module that imports FoundationNetworking works in a host without it")
    func networking() async throws {
        // No process listens on port 9, so the expected result is an error.
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

    @Test("The host and ViperKit do not link FoundationNetworking, which would slow down every start")
    func notLinked() throws {
        for file in [Products.host, "\(Products.folder)/libViperKit.so"] {
            let binary = try Data(contentsOf: URL(filePath: file))
            #expect(binary.range(of: Data("libswiftCore.so".utf8)) != nil, "\(file)")
            #expect(binary.range(of: Data("libFoundationNetworking.so".utf8)) == nil, "\(file)")
        }
    }
}

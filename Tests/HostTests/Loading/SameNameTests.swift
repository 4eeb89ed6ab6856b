import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct SameNameTests {
    /// Returns a module with the Swift name `Shared` and its own `Person`, which is decoded, hashed, cast and
    /// reflected.
    private static func shared(_ kind: String, _ fields: String, _ json: String) -> ModuleFixture {
        ModuleFixture(
            "Shared",
            """
            import Foundation
            import ViperKit

            @c(viper_entry_v1_Shared)
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(SharedModule.self) }

            protocol Described { var text: String { get } }

            struct Person: Codable, Hashable, Described {
                \(fields)
                var text: String { "\\(self)" }
            }

            struct Crowd<Member: Hashable & Codable>: Codable { var members: Set<Member> }

            func describe() throws -> String {
                let crowd = try JSONDecoder().decode(Crowd<Person>.self, from: Data(#"{"members":[\(json)]}"#.utf8))
                let all: [Any] = Array(crowd.members)
                let texts = all.compactMap { ($0 as? any Described)?.text } + all.compactMap { ($0 as? Person)?.text }
                return texts.joined(separator: ";") + " \\(Crowd<Person>.self)"
            }

            \(kind)
            """)
    }

    private static let provider = shared(
        """
        final class SharedModule: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<SharedModule>) {
                registrar.service(ServiceKey<String>("crowd"), .perModule) { _, _ in try describe() }
            }
        }
        """, "var age: Int\n    var tags: [String]", #"{"age":3,"tags":["a"]}"#)

    private static let consumer = shared(
        """
        final class SharedModule: Module {
            private let services: any ServiceResolver
            init(services: any ServiceResolver) { self.services = services }
            static func register(with registrar: Registrar<SharedModule>) {
                registrar.route("crowd") { module, request in try module.view(for: request) }
            }

            func view(for request: RouteRequest) throws -> any View {
                let before = try describe()
                let crowd = try services.resolve(ServiceKey<String>("crowd"))
                return SharedView("\\(before)\\n\\(crowd)\\n\\(try describe())")
            }
        }

        final class SharedView: View {
            private(set) var screen = Screen(title: "Crowds")
            init(_ text: String) { screen.text = text }
        }
        """, "var name: String", #"{"name":"Ada"}"#)

    @Test("Modules with the same Swift names work in one process")
    func sideBySide() async throws {
        let root = try ScratchRoot()
        var providing = ManifestText("provider", library: "libProvider.so", routes: [])
        providing.provides = ["crowd"]
        var consuming = ManifestText("consumer", library: "libConsumer.so", routes: ["crowd"])
        consuming.requires = ["crowd"]
        try await root.add(Self.provider, providing)
        try await root.add(Self.consumer, consuming)
        let result = try await root.host("run", "crowd")
        #expect(result.ending == .code(0), "\(result)")
        let own = #"Person(name: "Ada");Person(name: "Ada") Crowd<Person>"#
        let other = #"Person(age: 3, tags: ["a"]);Person(age: 3, tags: ["a"]) Crowd<Person>"#
        #expect(result.text == "Crowds\n\(own)\n\(other)\n\(own)\n")
        #expect(result.errors == "")
    }
}

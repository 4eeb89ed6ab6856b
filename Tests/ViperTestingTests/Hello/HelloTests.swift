import Testing
import ViperKit
import ViperTesting

@MainActor
struct HelloTests {
    @Test("hello greets by name, and leaves nothing behind")
    func greeting() async throws {
        let host = try TestHost(Hello.self, manifest: "hello.json") { _ in }
        let scene = try await host.open("hello", ["name": .string("Ada")])
        #expect(scene.screen.title == "Hello, Ada")
        await scene.expectDeallocated()
    }
}

import HostDriver
import TestSupport
import Testing

/// ViperKit's rules for modules that the compiler enforces.
@Suite(.fewAtOnce)
struct MustNotCompileTests {
    @Test(
        "The compiler refuses code that breaks ViperKit's rules",
        arguments: [
            ("subclassing the entry", "class Sly: ModuleEntry {}", "inheritance from a final class 'ModuleEntry'"),
            (
                "packing by itself", "@MainActor func f() { _ = ModuleEntry(Minimal.self).packed() }",
                "'packed' is inaccessible due to 'internal' protection level"
            ),
            (
                "marking another Swift", "func f() { Compiler.swift_6_3() }",
                "'swift_6_3' is inaccessible due to 'internal' protection level"
            ),
            (
                "changing a request", "func f(_ request: RouteRequest) { request.route = \"other\" }",
                "cannot assign to property: 'route' is a 'let' constant"
            ),
            (
                "reading a result without decoding it", "func f(_ result: SceneResult) { _ = result.coder }",
                "value of type 'SceneResult' has no member 'coder'"
            ),
            (
                "a service key of one type for another's service",
                "func f(_ services: any ServiceResolver) throws { let _: any Logger = try services.resolve(.fileReader) }",
                "value of type 'any FileReader' does not conform to specified type 'Logger'"
            ),
            (
                "a service that is not safe from many tasks",
                "final class Box { var x = 0 }; let key = ServiceKey<Box>(\"b\")",
                "type 'Box' does not conform to the 'Sendable' protocol"
            ),
            (
                "a view off the main actor", "func f(_ view: any View) -> Screen { view.screen }",
                "main actor-isolated property 'screen' can not be referenced from a nonisolated context"
            ),
            ("the host's inside", "import ViperRuntime", "no such module 'ViperRuntime'"),
        ])
    func refused(what: String, source: String, error: String) async throws {
        // As in a host's SDK, only ViperKit is available to the module.
        let fixture = ModuleFixture("Sly", ModuleFixture.minimal("viper_entry_v1_Sly") + "\n" + source)
        let failure = await #expect(throws: ChildFailure.self, "\(what)") {
            var fixture = fixture
            fixture.sdk = .released("1.0")
            _ = try await fixture.compiled()
        }
        #expect(
            failure.map { "\($0)" }?.contains("error: \(error)") == true, "\(what): \(failure.map { "\($0)" } ?? "")")
    }
}

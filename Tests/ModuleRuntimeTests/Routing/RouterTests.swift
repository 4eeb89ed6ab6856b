import ModuleTestSupport
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

/// Lookup and opening of routes. The screen shows the request that the module received.
@MainActor
struct RouterTests {
    final class Plain: Module {
        init(services: any ServiceResolver) {}
        static func register(with registrar: Registrar<Plain>) {
            for route in ["list", "last", "people", "people/add", "own-a", "own-b", "typed"] {
                registrar.route(route) { _, request in PlainView(request) }
            }
        }
    }

    final class PlainView: View {
        let screen: Screen
        init(_ request: RouteRequest) {
            var screen = Screen(title: request.route)
            screen.text = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                .joined(separator: " ")
            self.screen = screen
        }
    }

    private func host(_ manifests: [String]) throws -> HostedModules {
        try linkedHost(manifests.map { (Plain.self, $0) })
    }

    private func failure(_ host: HostedModules, _ route: String, _ texts: [String: String] = [:]) async throws
        -> ViperError
    {
        try await #require(throws: ViperError.self) { _ = try await host.opened(route, texts: texts) }
    }

    @Test("A route opens in the module that claims it")
    func open() async throws {
        let host = try host([manifestText("a", routes: ["list"]), manifestText("b", routes: ["people/add"])])
        #expect(try await host.opened("people/add", texts: [:]).screen.title == "people/add")
        #expect(host.registry.snapshot.modules.map(\.state) == [.resolved, .active])
    }

    @Test("The error for an unknown route names the searched folder and the closest routes, and nothing is loaded")
    func unknown() async throws {
        let host = try host([manifestText("a", routes: ["list", "last"]), manifestText("b", routes: ["people"])])
        let expected = ViperError(
            .routeUnknown, operation: "cannot open route", subject: "lst", cause: "no module provides it",
            notes: [.init("looked in", "Manifests (2 modules, 3 routes)"), .init("did you mean", "last, list")])
        #expect(try await failure(host, "lst") == expected)
        #expect(try await failure(host, "weather").notes == [.init("looked in", "Manifests (2 modules, 3 routes)")])
        #expect(host.registry.snapshot.modules.map(\.state) == [.resolved, .resolved])
    }

    @Test("The error for an unknown route shows why a manifest cannot be used")
    func unusable() async throws {
        let notes = try await failure(try host(["{"]), "list").notes
        let note = try #require(notes.first { $0.label == "not usable" })
        #expect(note.text.hasSuffix("0.json:1:2: expected a key in double quotes"), "\(note)")
    }

    @Test("The error for a contested route names both manifests, and the modules' other routes work")
    func contested() async throws {
        let host = try host([
            manifestText("a", routes: ["list", "own-a"]), manifestText("b", routes: ["list", "own-b"]),
        ])
        let error = try await failure(host, "list")
        #expect(error.code == .routeContested)
        #expect(error.summary == "cannot open route \"list\": 2 modules claim it")
        #expect(error.notes.map(\.label) == ["claimed by", "claimed by"])
        #expect(error.notes.map { $0.text.split(separator: "/").last } == ["0.json", "1.json"])
        #expect(try await host.opened("own-a", texts: [:]).screen.title == "own-a")
        #expect(try await host.opened("own-b", texts: [:]).screen.title == "own-b")
    }

    @Test("A refused module's route throws the module's error")
    func refused() async throws {
        let host = try host([manifestText("a", sdk: "9.0", routes: ["list"])])
        let error = try await failure(host, "list")
        #expect(error == host.registry.snapshot.modules.first?.state.refusal)
        #expect(error.code == .sdkUnsupported)
    }

    private static let typed = """
        {"name": "typed", "version": "1.0.0", "library": "libTyped.so", "sdk": "1.0", "routes": [
          {"name": "typed", "summary": "s", "parameters": [
            {"name": "age", "type": "integer", "summary": "s"},
            {"name": "share", "type": "number", "summary": "s", "default": 1},
            {"name": "note", "type": "string", "summary": "s", "default": null}]}]}
        """

    @Test("Texts are converted to the declared types, and defaults are filled in")
    func texts() async throws {
        let scene = try await host([Self.typed]).opened("typed", texts: ["age": "36"])
        #expect(scene.screen.text == "age=36 share=1.0")
    }

    @Test("Typed parameters are checked in the same way as texts")
    func parameters() async throws {
        let host = try host([Self.typed])
        let request = try host.router.request("typed", parameters: ["age": .integer(1), "note": .string("n")])
        #expect(request.parameters == ["age": .integer(1), "note": .string("n"), "share": .number(1)])
        #expect(throws: ViperError.self) { try host.router.request("typed", parameters: ["age": .string("1")]) }
    }

    @Test(
        "An invalid parameter is refused before the module is made",
        arguments: [
            (["age": "old"], ViperError.Code.parameterInvalid, "parameter \"age\" is \"old\", expected an integer"),
            (
                ["age": "99999999999999999999"], .parameterInvalid,
                "parameter \"age\" is \"99999999999999999999\", expected an integer of 64 bits"
            ),
            (["age": "1", "share": "inf"], .parameterInvalid, "parameter \"share\" is \"inf\", expected a number"),
            (["age": "1", "note": "n", "x": "1"], .parameterUnknown, "it has no parameter \"x\""),
            (["share": "1"], .parameterMissing, "\"age\" is missing"),
        ])
    func invalidParameter(texts: [String: String], code: ViperError.Code, cause: String) async throws {
        let host = try host([Self.typed])
        let error = try await failure(host, "typed", texts)
        #expect(error.code == code)
        #expect(error.cause == cause)
        #expect(host.registry.snapshot.modules.map(\.state) == [.resolved])
    }
}

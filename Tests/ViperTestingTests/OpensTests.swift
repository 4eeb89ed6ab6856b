import HostDriver
import Testing
import ViperKit
import ViperTesting

/// The routes that a module opens, compared with its manifest.
@MainActor
struct OpensTests {
    @Test("Opening a route that the manifest does not name is an issue at the host's line")
    func undeclared() async throws {
        let issues = try await Mistake.undeclaredRoute.issues()
        #expect(
            issues.map(\.text) == [
                #"the module "wanderer" opens the route "somewhere": add it to "opens" in its manifest"#
            ])
        #expect(issues.map(\.line) == ["let host = try TestHost(Wanderer.self, manifest: manifest) { setup in"])
    }

    @Test(
        "A route that the manifest names, and the module's own routes, are no issue", arguments: ["named", "wanderer"])
    func declared(route: String) async throws { try await Wanderer.open(route) }
}

/// A module that opens the route with the name of the pressed action.
final class Wanderer: Module {
    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<Wanderer>) {
        registrar.route("wanderer") { _, request in WandererView(navigator: request.navigator) }
    }

    /// Opens the module's route, and lets its scene open an address.
    @MainActor
    static func open(_ address: String) async throws {
        let folder = try ScratchFolder()
        var text = ManifestText("wanderer", library: "libWanderer.so", routes: ["wanderer"])
        text.opens = ["named"]
        let manifest = try folder.write(text.text, to: "wanderer.json")
        let host = try TestHost(Wanderer.self, manifest: manifest) { setup in
            for route in ["somewhere", "named"] { setup.stub(route, showing: { _ in WandererView() }) }
        }
        let scene = try await host.open("wanderer")
        try await scene.press(address)
        #expect(scene.steps.count == 2)
    }
}

private final class WandererView: View {
    private(set) var screen = Screen(title: "Wanderer")
    private let navigator: (any Navigator)?

    init(navigator: (any Navigator)? = nil) {
        self.navigator = navigator
        screen.actions = ["somewhere?far=away", "named", "wanderer"].map { Action(id: $0, title: $0) }
    }

    func handle(_ event: Event) async {
        guard case .press(let address) = event else { return }
        do { try await navigator?.open(address, as: .push) } catch { screen.text = error.description }
    }
}

import ModuleTestSupport
import Observation
import TestSupport
import ViperKit

@testable import ModuleRuntime

/// A view that the test navigates from. It records the results that it receives.
@MainActor
@Observable
final class WaypointView: View {
    private(set) var screen: Screen
    @ObservationIgnored let navigator: any Navigator
    @ObservationIgnored private(set) var returned: [(route: String, result: SceneResult)] = []
    /// The error of the view's own navigation while it loaded.
    @ObservationIgnored private(set) var failure: ViperError?
    @ObservationIgnored private let next: (route: String, transition: Transition)?

    init(_ request: RouteRequest) {
        screen = Screen(title: request.route)
        navigator = request.navigator
        next =
            switch request.route {
            case "ping": ("pong", .replaceRoot)
            case "pong": ("ping", .replaceRoot)
            case "deeper": ("deeper", .push)
            default: nil
            }
    }

    func load() async {
        guard let next else { return screen.text = "loaded" }
        do {
            try await navigator.open(next.route, parameters: [:], as: next.transition)
        } catch {
            failure = error
            screen.alert = Alert(title: "Cannot go on", message: error.cause, actions: [])
        }
    }

    func note(_ text: String) { screen.text = text }

    func handle(_ event: Event) async {
        if case .returned(let route, let result) = event { returned.append((route, result)) }
    }
}

final class Waypoints: Module {
    static let routes = ["a", "b", "c", "e", "ping", "pong", "deeper"]
    init(services: any ServiceResolver) {}
    static func register(with registrar: Registrar<Waypoints>) {
        for route in routes { registrar.route(route) { _, request in WaypointView(request) } }
    }
}

/// A module for the route `late`, which runs a test's body while the module is created.
final class LateModule: Module {
    /// The body that runs while the module is created. It is in a class because a task-local value that is itself a
    /// closure crashes Swift 6.3.1's optimized code.
    final class Making: Sendable {
        let body: @MainActor @Sendable () throws -> Void
        init(_ body: @escaping @MainActor @Sendable () throws -> Void) { self.body = body }
    }

    @TaskLocal static var making: Making?
    init(services: any ServiceResolver) throws { try Self.making?.body() }
    static func register(with registrar: Registrar<LateModule>) {
        registrar.route("late") { _, request in WaypointView(request) }
    }
}

/// A window of waypoints that records its steps.
@MainActor
struct Journey {
    let window: Window
    private let taken = Steps()
    var steps: [String] { taken.all }

    init(from route: String = "a") async throws {
        let host = try linkedHost([
            (Waypoints.self, manifestText("waypoints", routes: Waypoints.routes)),
            (LateModule.self, manifestText("late", routes: ["late"])),
        ])
        window = Window(router: host.router)
        window.onStep = { [taken] in taken.add($0) }
        try await window.open(route, texts: [:])
    }

    /// The routes of the open scenes, from the bottom up.
    var routes: [String] { window.scenes.map(\.route) }

    /// The views of the open scenes, from the bottom up.
    var views: [WaypointView] { window.scenes.compactMap { $0.view as? WaypointView } }

    /// Opens routes, each from the top scene.
    func push(_ routes: String...) async throws {
        for route in routes { try await views.last?.navigator.open(route, as: .push) }
    }
}

import Synchronization
import ViperKit

/// The failures that a test wants from its modules, and their steps. Each test binds its own script to its task.
final class Script: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description = "the test says so"
    }

    @TaskLocal static var current = Script()

    let steps = Steps()
    let failing: Set<String>
    init(failing: String...) { self.failing = Set(failing) }

    /// Records a step, and throws if the test wants it to fail.
    func step(_ name: String) throws {
        steps.add(name)
        if failing.contains(name) { throw Failure() }
    }
}

protocol Greeting: Sendable {
    var text: String { get }
}

extension ServiceKey where Service == any Greeting {
    static var greeting: Self { Self("greeting") }
}

/// A view that shows a title and the last event.
@MainActor
final class PlainView: View {
    private(set) var screen: Screen

    init(_ title: String) {
        screen = Screen(title: title)
        screen.actions = [Action(id: "go", title: "Go")]
    }

    func viewDidLoad() async { screen.text = "loaded" }
    func handle(_ event: Event) async { screen.text = "\(event)" }
}

final class Screens: RoutedModule {
    private let script = Script.current
    private let services: any ServiceResolver

    init(services: any ServiceResolver) throws {
        self.services = services
        try script.step("make screens")
    }

    func view(for request: RouteRequest) throws -> any View {
        try script.step("view \(request.route)")
        if request.route != "greet" { return PlainView(request.route) }
        return PlainView(try services.resolve(.greeting).text)
    }

    func stop() async { script.steps.add("stop screens") }
}

final class Greeter: ServiceModule {
    private struct Hello: Greeting { let text = "Hello" }
    private let script = Script.current

    init(services: any ServiceResolver) throws { try script.step("make greeter") }

    func registerServices(with registrar: any ServiceRegistrar) throws {
        try script.step("wire greeter")
        if script.failing.contains("register") { return }
        try registrar.register(.greeting, scope: .singleton) { [script] _ in
            try script.step("make greeting")
            return Hello()
        }
    }

    func stop() async { script.steps.add("stop greeter") }
}

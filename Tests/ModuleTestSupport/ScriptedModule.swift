package import TestSupport
package import ViperKit

/// A script that makes the modules of a test fail at chosen steps, and that records their steps. Each test binds its
/// own script to its task.
package final class Script: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description = "the test says so"

        package init() {}
    }

    @TaskLocal package static var current = Script()

    package let steps = Steps()
    package let failing: Set<String>
    package init(failing: String...) { self.failing = Set(failing) }

    /// Records a step.
    ///
    /// - Throws: ``Failure`` if the script makes this step fail.
    package func step(_ name: String) throws {
        steps.add(name)
        if failing.contains(name) { throw Failure() }
    }
}

package protocol Greeting: Sendable {
    var text: String { get }
}

extension ServiceKey where Service == any Greeting {
    package static var greeting: Self { Self("greeting") }
}

/// A view that shows a title and the last event.
@MainActor
package final class PlainView: View {
    package private(set) var screen: Screen

    package init(_ title: String) {
        screen = Screen(title: title)
        screen.actions = [Action(id: "go", title: "Go")]
    }

    package func load() async { screen.text = "loaded" }
    package func handle(_ event: Event) async { screen.text = "\(event)" }
}

package final class Screens: Module {
    private let script = Script.current
    private let services: any ServiceResolver

    package init(services: any ServiceResolver) throws {
        self.services = services
        try script.step("make screens")
    }

    /// The routes of the tests' manifests. Each manifest declares some of them.
    private static let routes = ["greet", "other", "user", "a", "b", "c", "x", "y", "z", "list", "late"]

    package static func register(with registrar: Registrar<Screens>) {
        for route in routes {
            registrar.route(route) { module, _ in
                try module.script.step("view \(route)")
                return PlainView(route == "greet" ? try module.services.resolve(.greeting).text : route)
            }
        }
    }

    package func stop() async { script.steps.add("stop screens") }
}

package final class Greeter: Module {
    private struct Hello: Greeting { let text = "Hello" }
    private let script = Script.current

    package init(services: any ServiceResolver) throws { try script.step("make greeter") }

    package static func register(with registrar: Registrar<Greeter>) {
        if Script.current.failing.contains("register") { return }
        registrar.service(.greeting, .singleton) { module, _ in
            try module.script.step("make greeting")
            return Hello()
        }
    }

    package func stop() async { script.steps.add("stop greeter") }
}

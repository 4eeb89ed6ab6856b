import ViperKit

/// A service that depends on no other service.
protocol Counter: Sendable {
    /// The amount that each step adds.
    var step: Int { get }
}

/// A service that depends on ``Counter``.
protocol Tally: Sendable {
    var counter: any Counter { get }
}

/// A minimal counter.
final class StepCounter: Counter {
    let step = 1
}

/// A tally that only holds its counter.
final class CounterTally: Tally {
    let counter: any Counter

    init(counter: any Counter) { self.counter = counter }
}

extension ServiceKey where Service == any Counter {
    static var counter: Self { Self("counter") }
}

extension ServiceKey where Service == any Tally {
    static var tally: Self { Self("tally") }
}

/// A module that provides two services. The counter is a singleton. The tally is created once per module, and depends
/// on the counter.
final class SampleProvider: Module {
    static let manifest = """
        {"name": "provider", "version": "1.0.0", "library": "libProvider.so", "sdk": "1.0", "provides": ["counter", "tally"]}
        """

    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<SampleProvider>) {
        registrar.service(.counter, .singleton) { _, _ in StepCounter() }
        registrar.service(.tally, .perModule) { _, services in
            CounterTally(counter: try await services.resolveOrCreate(.counter))
        }
    }
}

/// A module with a guard that lets everybody through.
final class SampleGuard: Module {
    static let manifest = """
        {"name": "guard", "version": "1.0.0", "library": "libGuard.so", "sdk": "1.0", "provides": ["route-guard"]}
        """

    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<SampleGuard>) {
        registrar.service(.routeGuard, .singleton) { _, _ in OpenGate() }
    }
}

private struct OpenGate: RouteGuard {
    func decide(on opening: GuardedOpening) async -> RouteDecision { .allow }
}

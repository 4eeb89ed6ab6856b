import Synchronization
import ViperKit

/// A module asks for a service that another module provides.
enum ServiceResolution: Subject {
    static let name = "services"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let services = try await SampleHost().services()
        let hand = HandMadeServices()
        return [
            Trial("resolve a singleton", floor: "mutex, dictionary and cast") { count in
                var steps = 0
                for _ in 0..<count { steps += try services.resolve(.counter).step }
                return steps
            } by: { count in
                var steps = 0
                for _ in 0..<count { steps += hand.resolve((any Counter).self)?.step ?? 0 }
                return steps
            },
            Trial("resolve a transient with one dependency", floor: "mutex, dictionary and cast, twice") { count in
                var steps = 0
                for _ in 0..<count { steps += try services.resolve(.tally).counter.step }
                return steps
            } by: { count in
                var steps = 0
                for _ in 0..<count { steps += hand.make((any Tally).self)?.counter.step ?? 0 }
                return steps
            },
        ]
    }
}

/// The least that finds services by their types: a mutex, a dictionary and a cast.
private final class HandMadeServices: Sendable {
    private struct Factory: Sendable {
        var make: @Sendable (HandMadeServices) -> (any Sendable)?
    }

    private let singletons = Mutex<[ObjectIdentifier: any Sendable]>([
        ObjectIdentifier((any Counter).self): StepCounter()
    ])
    private let factories = Mutex<[ObjectIdentifier: Factory]>([
        ObjectIdentifier((any Tally).self): Factory { services in
            services.resolve((any Counter).self).map { CounterTally(counter: $0) }
        }
    ])

    func resolve<Service>(_ type: Service.Type) -> Service? {
        singletons.withLock { $0[ObjectIdentifier(type)] } as? Service
    }

    func make<Service>(_ type: Service.Type) -> Service? {
        factories.withLock { $0[ObjectIdentifier(type)] }?.make(self) as? Service
    }
}

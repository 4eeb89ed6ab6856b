import Synchronization
import ViperKit

/// A subject that measures how long it takes to resolve a service that another module provides.
enum ServiceResolution: Subject {
    static let name = "services"
    static let summary = "Services that one module gets from another"

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
            Trial("prepare a service that is ready", floor: "mutex, dictionary and cast") { count in
                var steps = 0
                for _ in 0..<count { steps += try await services.resolveOrCreate(.tally).counter.step }
                return steps
            } by: { count in
                var steps = 0
                for _ in 0..<count { steps += hand.resolve((any Tally).self)?.counter.step ?? 0 }
                return steps
            },
        ]
    }
}

/// A minimal container that finds services by their types. It uses a mutex, a dictionary and a cast.
private final class HandMadeServices: Sendable {
    private let services = Mutex<[ObjectIdentifier: any Sendable]>([
        ObjectIdentifier((any Counter).self): StepCounter(),
        ObjectIdentifier((any Tally).self): CounterTally(counter: StepCounter()),
    ])
    func resolve<Service>(_ type: Service.Type) -> Service? {
        services.withLock { $0[ObjectIdentifier(type)] } as? Service
    }
}

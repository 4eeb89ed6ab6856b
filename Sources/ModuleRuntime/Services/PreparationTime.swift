import HostSystem
import ViperKit

/// The time limit within which all services for one module must be created.
struct PreparationTime {
    private let limit: Duration
    private let clock: ServiceClock
    let deadline: Duration
    /// The service that has taken the longest so far.
    private var slowest: (service: String, provider: String, time: Duration)?

    init(limit: Duration, clock: ServiceClock) {
        (self.limit, self.clock, deadline) = (limit, clock, clock.now() + limit)
    }

    var now: Duration { clock.now() }
    var isOver: Bool { now >= deadline }

    mutating func add(_ time: Duration, for slot: ServiceSlot) {
        if time > slowest?.time ?? .zero { slowest = (slot.name, slot.provider, time) }
    }

    /// Returns true if an earlier service took longer than the time that has passed since `start`.
    func isMostly(before start: Duration) -> Bool { slowest.map { $0.time > now - start } ?? false }

    /// Returns the error for a service that could not be created because no time was left.
    func error(for service: String, _ path: ViperError.Note) -> ViperError {
        let earlier = slowest.map { "the provider \"\($0.provider)\" of \"\($0.service)\"" } ?? "an earlier provider"
        return ViperError(
            .timeLimit, operation: "cannot create service", subject: service,
            cause: "\(earlier) took too long; the limit for all services of the module is \(limit.inSeconds)",
            notes: [path],
            fix: "let its factory return or throw sooner")
    }
}

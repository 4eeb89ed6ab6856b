import HostSystem

package enum WorkerPhase: String, NamedCase, Sendable {
    package static var noun: String { "phase" }
    case load
    /// The module's argument types are compared with its manifest. Only `host build` uses this phase.
    case arguments
    /// The module is created and registers its services.
    case make
    /// The module checks its own health.
    case health
    case stop
}

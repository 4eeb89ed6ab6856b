import HostSystem

/// What is done with a module, in this order.
package enum WorkerPhase: String, NamedCase, Sendable {
    package static var noun: String { "phase" }
    /// Its library is loaded.
    case load
    /// The module is made, and registers its services.
    case make
    /// It is asked whether it can do its work.
    case health
    /// It is asked to stop.
    case stop
}

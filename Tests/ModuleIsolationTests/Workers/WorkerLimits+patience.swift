import HostDriver

@testable import ModuleIsolation

extension WorkerLimits {
    /// The default limits, but with more time than a busy machine takes.
    static var patient: WorkerLimits {
        var limits = WorkerLimits()
        (limits.start, limits.call) = (Patience.limit, Patience.limit)
        return limits
    }
}

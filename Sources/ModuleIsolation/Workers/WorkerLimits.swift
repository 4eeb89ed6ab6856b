import JSONRPC

package struct WorkerLimits: Sendable, Equatable {
    /// The maximum resident memory in bytes. A worker that exceeds this limit is killed.
    package var memory = 1 << 30
    /// The maximum number of open descriptors. The default is the same as on most systems.
    var descriptors = 1024
    /// The time limit for the worker's first response, and for each check of the module.
    var start = Duration.seconds(10)
    /// The time limit for each call. The default is that of a serving host.
    var call = Limits().time

    package init() {}

    /// Tighter limits for a library that has not run before.
    static var probe: WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 512 << 20
        limits.descriptors = 256
        limits.call = .seconds(10)
        return limits
    }
}

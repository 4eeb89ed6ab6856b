/// What a worker may use.
package struct WorkerLimits: Sendable, Equatable {
    /// Resident memory, in bytes. A worker that uses more is killed.
    package var memory = 1 << 30
    /// Open descriptors: what most systems give a process by default.
    var descriptors = 1024
    /// How long it may take until it answers for the first time.
    var start = Duration.seconds(10)
    /// How long a call may take: the limit of the protocol.
    var call = Duration.seconds(30)

    package init() {}

    /// For a library that nobody has run before: enough to load it and to make its module, and little more.
    static var probe: WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 512 << 20
        limits.descriptors = 256
        limits.call = .seconds(10)
        return limits
    }
}

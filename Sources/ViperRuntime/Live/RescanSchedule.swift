/// The scheduled rescans. Each scope has at most one scheduled rescan.
struct RescanSchedule {
    private var scheduled: [ScanScope: (due: ContinuousClock.Instant, task: Task<Void, Never>)] = [:]

    var count: Int { scheduled.count }

    /// Schedules a rescan. Does nothing if a rescan with the same or a larger scope is already due at or before that
    /// time. Replaces a later rescan with the same scope.
    mutating func add(_ scope: ScanScope, at due: ContinuousClock.Instant, _ task: () -> Task<Void, Never>) {
        if scheduled.contains(where: { $0.key >= scope && $0.value.due <= due }) { return }
        scheduled[scope]?.task.cancel()
        scheduled[scope] = (due, task())
    }

    mutating func remove(_ scope: ScanScope) { scheduled[scope] = nil }

    mutating func cancel() {
        scheduled.values.forEach { $0.task.cancel() }
        scheduled = [:]
    }
}

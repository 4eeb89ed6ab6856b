/// The scheduled rescans, at most one for each purpose.
struct RescanSchedule {
    private var scheduled: [LiveRoot.Look: (due: ContinuousClock.Instant, task: Task<Void, Never>)] = [:]

    var count: Int { scheduled.count }

    /// Schedules a rescan, unless one of the same or a larger extent is due no later. Replaces a later one for the
    /// same purpose.
    mutating func add(_ purpose: LiveRoot.Look, at due: ContinuousClock.Instant, _ task: () -> Task<Void, Never>) {
        if scheduled.contains(where: { $0.key >= purpose && $0.value.due <= due }) { return }
        scheduled[purpose]?.task.cancel()
        scheduled[purpose] = (due, task())
    }

    mutating func remove(_ purpose: LiveRoot.Look) { scheduled[purpose] = nil }

    mutating func cancel() {
        scheduled.values.forEach { $0.task.cancel() }
        scheduled = [:]
    }
}

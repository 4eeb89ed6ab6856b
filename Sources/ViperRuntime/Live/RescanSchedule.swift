/// The rescans that are to begin later: at most one for each purpose.
struct RescanSchedule {
    private var scheduled: [LiveRoot.Look: (due: ContinuousClock.Instant, task: Task<Void, Never>)] = [:]

    /// The number of rescans that have not begun.
    var count: Int { scheduled.count }

    /// Schedules a rescan, unless one that does as much comes as early. It takes the place of a later one for the same purpose.
    mutating func add(_ purpose: LiveRoot.Look, at due: ContinuousClock.Instant, _ task: () -> Task<Void, Never>) {
        if scheduled.contains(where: { $0.key >= purpose && $0.value.due <= due }) { return }
        scheduled[purpose]?.task.cancel()
        scheduled[purpose] = (due, task())
    }

    /// Forgets the rescan for a purpose, which begins now.
    mutating func remove(_ purpose: LiveRoot.Look) { scheduled[purpose] = nil }

    /// Cancels all rescans.
    mutating func cancel() {
        scheduled.values.forEach { $0.task.cancel() }
        scheduled = [:]
    }
}

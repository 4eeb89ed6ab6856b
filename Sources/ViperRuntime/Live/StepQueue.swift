import ModuleRuntime

/// A queue of the steps that modules need, keyed by manifest file.
///
/// Each reconciliation sets all steps at once. At most one step of each file runs at a time, and at most ``width`` steps
/// in total, so that a step that takes long delays no other module.
struct StepQueue {
    /// The maximum number of steps that run at the same time.
    static let width = 8

    private(set) var steps: [String: Step] = [:]
    private var running: [String: Step] = [:]
    /// True if a reconciliation will replace the steps soon.
    var isReconciling = false
    /// True if the host ends. No step starts then.
    var isOver = false

    /// Replaces the steps that are not running.
    mutating func set(_ steps: [String: Step]) { self.steps = steps }

    /// Returns the steps to start now. They count as running until ``end(_:)`` is called.
    mutating func start(at now: ContinuousClock.Instant) -> [(file: String, step: Step)] {
        let due = steps.filter { $0.value.due <= now && running[$0.key] == nil }
        // The oldest first, so that no step waits for ever.
        let next = due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.prefix(Self.width - running.count)
        for (file, step) in next { (steps[file], running[file]) = (nil, step) }
        return next.map { ($0.key, $0.value) }
    }

    mutating func end(_ file: String) { running[file] = nil }

    /// Returns the time of the next step that is not due yet. Nil if there is none.
    func next(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        steps.values.map(\.due).filter { $0 > now }.min()
    }

    /// Returns true if a step runs or is due, or if a reconciliation may find another one.
    func isBusy(at now: ContinuousClock.Instant) -> Bool {
        isReconciling || !running.isEmpty || steps.contains { $0.value.due <= now }
    }

    /// Returns true if the same step runs, with the same files and providers.
    func runs(_ step: Step, of file: String) -> Bool { running[file]?.isSame(as: step) ?? false }
}

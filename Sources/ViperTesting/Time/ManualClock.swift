import Synchronization

/// A clock that advances only when a test advances it, for tests of modules that require `clock`.
///
/// ```swift
/// let clock = ManualClock()
/// services.provide(.clock, clock)
/// …
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(60))
/// ```
public final class ManualClock: Clock {
    /// A point in time of a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// The duration from the start of the clock to this instant.
        public let sinceStart: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        public static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    private struct Sleeper {
        var id: Int
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var last = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watching: [(count: Int, CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the continuations whose expected number of sleepers has been reached.
        mutating func satisfied() -> [CheckedContinuation<Void, Never>] {
            defer { watching.removeAll { $0.count <= sleepers.count } }
            return watching.filter { $0.count <= sleepers.count }.map { $0.1 }
        }
    }

    private let state = Mutex(State())

    /// Creates a clock that has not been advanced.
    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Advances the clock, and resumes the tasks whose deadlines have been reached, earliest first.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        woken.forEach { $0.continuation.resume() }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, satisfied) = state.withLock {
                    state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    return (nil, state.satisfied())
                }
                if let result { continuation.resume(with: result) }
                satisfied.forEach { $0.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    // The task was cancelled before it began to sleep, or after it woke up. In the second case, the
                    // inserted ID has no effect.
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least `count` tasks are sleeping on this clock.
    public func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSatisfied = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watching.append((count, continuation))
                return false
            }
            if isSatisfied { continuation.resume() }
        }
    }
}

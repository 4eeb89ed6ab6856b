import Synchronization

/// A gate that suspends calls to a slow service until a test opens the gate. Tests that use a gate need not sleep.
///
/// ```swift
/// let gate = Gate()
/// services.provide(.dataProvider, SlowDataProvider(provider, behind: gate))
/// …
/// async let loaded: Void = scene.load()
/// await gate.waiters(1)
/// #expect(scene.screen.isLoading)
/// gate.open()
/// await loaded
/// ```
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watching: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate permanently and resumes all waiting tasks.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    /// Waits until the gate is open. Cancellation does not end the wait, which simulates a service that hangs.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, satisfied) = state.withLock { state in
                if state.isOpen { return (true, [CheckedContinuation<Void, Never>]()) }
                state.waiting.append(continuation)
                let satisfied = state.watching.filter { $0.count <= state.waiting.count }.map { $0.1 }
                state.watching.removeAll { $0.count <= state.waiting.count }
                return (false, satisfied)
            }
            if isOpen { continuation.resume() }
            satisfied.forEach { $0.resume() }
        }
    }

    /// Waits until at least `count` tasks are waiting at the gate.
    public func waiters(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSatisfied = state.withLock { state in
                if state.waiting.count >= count { return true }
                state.watching.append((count, continuation))
                return false
            }
            if isSatisfied { continuation.resume() }
        }
    }
}

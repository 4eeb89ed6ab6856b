import Synchronization

/// Something that a slow service waits for, and a test opens: no test has to sleep.
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

    /// A gate that is closed.
    public init() {}

    /// Lets everybody through, now and from now on.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    /// Waits until the gate is open. Cancelling the task does not help: a service that hangs is tested so too.
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

    /// Waits until at least so many wait at the gate.
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

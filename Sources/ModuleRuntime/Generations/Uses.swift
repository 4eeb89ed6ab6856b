import HostSystem
import Synchronization

/// A counter for the uses of a generation. An open scene is a use, and so is a generation of another module that uses
/// the generation's services.
final class Uses: Sendable {
    private struct State {
        var count = 0
        /// True if a task waits for the last use to end, or has waited for it.
        var isDraining = false
        var isOver = false

        mutating func finishIfUnused() -> Bool {
            if count == 0, isDraining { isOver = true }
            return isOver
        }
    }

    private let drained = OneShot<Void>()
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// Begins a use.
    ///
    /// - Returns: False if the generation has already been drained.
    func begin() -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.count += 1
            return true
        }
    }

    func end() {
        let isOver = state.withLock { state in
            state.count -= 1
            return state.finishIfUnused()
        }
        if isOver { drained.set() }
    }

    /// Waits until no uses remain. New uses can begin until then, but not afterwards.
    func drain() async {
        let isOver = state.withLock { state in
            state.isDraining = true
            return state.finishIfUnused()
        }
        if isOver { drained.set() }
        await drained.value()
    }
}

import Dispatch
import Synchronization

/// Short changes of files that a signal does not interrupt, so that they leave no files that only they would remove.
package enum UninterruptedWork {
    private struct State {
        var running = 0
        var isEnding = false
    }

    private static let state = Mutex(State())
    private static let idle = DispatchSemaphore(value: 0)

    /// Runs a closure. If the process is ending, this method does not return.
    package static func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let isEnding = state.withLock { state in
            if !state.isEnding { state.running += 1 }
            return state.isEnding
        }
        // The thread that ends the process does not wait for this one.
        if isEnding { DispatchSemaphore(value: 0).wait() }
        defer { leave() }
        return try body()
    }

    /// Waits for the closures that are running. No other one starts.
    package static func end() {
        let isIdle = state.withLock { state in
            state.isEnding = true
            return state.running == 0
        }
        if !isIdle { idle.wait() }
    }

    private static func leave() {
        let isLast = state.withLock { state in
            state.running -= 1
            return state.isEnding && state.running == 0
        }
        if isLast { idle.signal() }
    }
}

import Foundation

/// Runs a body that may block on a thread of its own, so that the pool's threads stay free.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

/// What many tasks return that do the same at the same moment.
func atOnce<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable () async -> Value) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for _ in 0..<count { group.addTask(operation: body) }
        var values: [Value] = []
        for await value in group { values.append(value) }
        return values
    }
}

/// Waits for something that another thread brings about.
func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while !condition() {
        if ContinuousClock.now > end { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}

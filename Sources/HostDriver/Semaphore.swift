/// A counting semaphore that suspends tasks instead of blocking threads. Tasks resume in first-in, first-out order.
package actor Semaphore {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) { free = count }

    /// Waits for a free slot, runs a closure, frees the slot, and returns the closure's result.
    package nonisolated func withSlot<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows
        -> Value
    {
        await begin()
        do {
            let value = try await body()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

/// A counting semaphore that suspends tasks instead of blocking threads. Tasks resume in first-in, first-out order, except
/// for those that ask to be first.
package actor Semaphore {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) { free = count }

    /// Waits for a free slot, runs a closure, frees the slot, and returns the closure's result.
    ///
    /// - Parameter isFirst: True to get the next slot that becomes free.
    package nonisolated func withSlot<Value: Sendable>(
        isFirst: Bool = false, _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        await begin(isFirst)
        do {
            let value = try await body()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func begin(_ isFirst: Bool) async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.insert($0, at: isFirst ? 0 : waiting.count) }
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

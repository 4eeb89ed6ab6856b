import Dispatch
import HostDriver
import TestSupport
import Testing

@testable import ModuleRuntime

struct RecursiveMutexTests {
    private struct Oops: Error {}

    @Test("A thread can lock again while it holds the lock, and returns values", .hangLimit)
    func recursion() {
        let mutex = RecursiveMutex()
        let value = mutex.withLock { mutex.withLock { mutex.withLock { 1 } + 1 } + 1 }
        #expect(value == 3)
    }

    @Test("An error unlocks the mutex from every depth", .hangLimit)
    func errors() async {
        let mutex = RecursiveMutex()
        #expect(throws: Oops.self) { try mutex.withLock { try mutex.withLock { throw Oops() } } }
        await onOwnThread { mutex.withLock {} }
    }

    @Test("Another thread waits until the outermost lock is released", .hangLimit)
    func exclusion() async {
        let mutex = RecursiveMutex()
        let steps = Steps()
        let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first: Void = onOwnThread {
            mutex.withLock {
                isInside.signal()
                mayLeave.wait()
                mutex.withLock { steps.add("inner") }
                steps.add("outer")
            }
        }
        async let second: Void = onOwnThread {
            isInside.wait()
            mayLeave.signal()
            mutex.withLock { steps.add("other") }
        }
        _ = await (first, second)
        #expect(steps.all == ["inner", "outer", "other"])
    }

    @Test("Concurrent increments are not lost", .hangLimit)
    func counting() {
        final class Counter: @unchecked Sendable {
            // Guarded by the mutex under test.
            var count = 0
        }
        let (mutex, counter) = (RecursiveMutex(), Counter())
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { mutex.withLock { mutex.withLock { counter.count += 1 } } }
        }
        #expect(counter.count == 80_000)
    }
}

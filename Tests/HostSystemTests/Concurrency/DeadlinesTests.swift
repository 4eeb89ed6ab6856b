import Dispatch
import TestSupport
import Testing

@testable import HostSystem

/// Deadlines that share one timer.
@Suite(.hangLimit)
struct DeadlinesTests {
    private let queue = DispatchQueue(label: "deadlines")

    @Test("Missed deadlines are reported in the order of time, and removed ones are not reported")
    func order() async {
        let deadlines = Deadlines(on: queue)
        let (missed, continuation) = AsyncStream.makeStream(of: Int.self)
        let begin = ContinuousClock.now
        func add(_ milliseconds: Int) -> Int {
            deadlines.add(after: .milliseconds(milliseconds)) { continuation.yield(milliseconds) }
        }
        // No deadline is reported before the queue is resumed, even if this machine is slow.
        queue.suspend()
        _ = add(120)
        // This deadline is earlier than the one for which the timer is set.
        let removed = add(30)
        _ = add(60)
        deadlines.remove(removed)
        queue.resume()
        var iterator = missed.makeAsyncIterator()
        #expect(await iterator.next() == 60)
        #expect(ContinuousClock.now - begin >= .milliseconds(60))
        #expect(await iterator.next() == 120)
        #expect(ContinuousClock.now - begin >= .milliseconds(120))
        // The timer is set again after all deadlines have passed.
        _ = add(10)
        #expect(await iterator.next() == 10)
        withExtendedLifetime(deadlines) {}
    }

    @Test("A thousand deadlines that are added and removed at once leave those that were not removed")
    func many() async {
        let deadlines = Deadlines(on: queue)
        let (missed, continuation) = AsyncStream.makeStream(of: Int.self)
        queue.suspend()
        await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    let deadline = deadlines.add(after: .milliseconds(2)) { continuation.yield(-number) }
                    if number.isMultiple(of: 2) {
                        _ = deadlines.add(after: .milliseconds(1)) { continuation.yield(number) }
                    }
                    deadlines.remove(deadline)
                }
            }
        }
        _ = deadlines.add(after: .milliseconds(3)) { continuation.finish() }
        queue.resume()
        var numbers: [Int] = []
        for await number in missed { numbers.append(number) }
        #expect(numbers.sorted() == Array(stride(from: 0, to: 1_000, by: 2)))
        withExtendedLifetime(deadlines) {}
    }
}

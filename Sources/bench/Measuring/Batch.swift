import Glibc

/// A group of repetitions of one side of a trial. The group is large enough to be timed accurately.
@MainActor
struct Batch {
    /// The measured cost of one batch.
    struct Reading {
        /// The nanoseconds or bytes of one repetition.
        let cost: Double
        /// True if the scheduler preempted a thread during the batch.
        let isInterrupted: Bool
    }

    private let side: Trial.Side
    private let quantity: Quantity
    private let count: Int

    /// Creates a batch by warming up a side and determining how many repetitions the batch needs.
    init(warmingUp side: Trial.Side, _ quantity: Quantity, _ effort: Effort) async throws {
        (self.side, self.quantity) = (side, quantity)
        if quantity.isReturned {
            count = 1
            return
        }
        let begin = ContinuousClock.now
        var count = 1
        while true {
            // An interruption lengthens one of the two runs, but rarely both, so the shorter time is used.
            let time = min(
                try await Self.time(side, quantity, count), try await Self.time(side, quantity, count))
            if time < effort.batch { count *= 2 } else if ContinuousClock.now - begin >= effort.warmUp { break }
        }
        self.count = count
    }

    func read() async throws -> Reading {
        let interruptions = Self.interruptions
        let cost =
            quantity.isReturned
            ? Double(try await side.loop(1)) : try await Self.time(side, quantity, count) / .nanoseconds(count)
        // In a quick run, a process may release more memory than it needs.
        return Reading(cost: max(cost, 1), isInterrupted: Self.interruptions != interruptions)
    }

    private static func time(_ side: Trial.Side, _ quantity: Quantity, _ count: Int) async throws -> Duration {
        let begin = quantity.now
        let successes = try await side.loop(count)
        let time = quantity.now - begin
        guard successes == count else {
            throw UnexpectedResult("\"\(side.name)\" failed \(count - successes) of \(count) times")
        }
        return time
    }

    /// The number of times that the scheduler has preempted a thread of this process.
    private static var interruptions: Int {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_nivcsw
    }
}

/// An error that is thrown when an operation has an unexpected result.
struct UnexpectedResult: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

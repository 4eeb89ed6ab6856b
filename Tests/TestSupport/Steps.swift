import Synchronization

/// A thread-safe list of the steps that a test records.
package final class Steps: Sendable {
    private let steps = Mutex<[String]>([])
    package init() {}

    package var all: [String] { steps.withLock { $0 } }
    package func add(_ step: String) { steps.withLock { $0.append(step) } }
}

/// A thread-safe counter.
package final class Tally: Sendable {
    private let value = Mutex(0)
    package init() {}

    package var count: Int { value.withLock { $0 } }

    package func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

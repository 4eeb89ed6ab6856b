import Synchronization

/// A thread-safe list of steps.
final class Steps: Sendable {
    private let steps = Mutex<[String]>([])
    var all: [String] { steps.withLock { $0 } }
    func add(_ step: String) { steps.withLock { $0.append(step) } }
}

/// A thread-safe counter.
final class Tally: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

import Foundation
import Synchronization

/// A test that runs the host under difficult conditions.
protocol Scenario {
    /// The scenario's name on the command line.
    static var name: String { get }

    /// Runs the scenario.
    ///
    /// - Parameter isShort: True to run only a few rounds, as tests do.
    /// - Returns: A line with the measurements.
    /// - Throws: ``Failure`` if the host misbehaves. ``NotShown`` if this system cannot run the scenario.
    static func run(isShort: Bool) async throws -> String
}

struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// An error that is thrown if this system cannot run a scenario. It does not mean that the host has failed.
struct NotShown: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// A flag that stops the loops of other threads.
final class Stop: Sendable {
    private let state = Mutex(false)
    var isCalled: Bool { state.withLock(\.self) }
    func call() { state.withLock { $0 = true } }
}

func expect(_ isSo: Bool, _ description: @autoclosure () -> String) throws {
    if !isSo { throw Failure(description()) }
}

extension Double {
    /// Returns the number as text with a fixed number of decimal places.
    func shown(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Int {
    /// The number of bytes as text, in KiB below 10 MiB and in MiB otherwise.
    var shownBytes: String {
        self < 10 << 20 ? "\((Double(self) / 1024).shown(0)) KiB" : "\((Double(self) / 1_048_576).shown(1)) MiB"
    }
}

extension Collection<Duration> {
    /// The median in milliseconds. NaN if the collection is empty.
    var medianMilliseconds: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2] / .milliseconds(1)
    }
}

import Foundation
import Synchronization

/// Something that the host lives through.
protocol Scenario {
    /// The word that chooses it.
    static var name: String { get }

    /// Has the host live through it.
    ///
    /// - Parameter isShort: Whether a small number of rounds is enough, as for a test.
    /// - Returns: What was measured, in one line.
    /// - Throws: ``Failure`` with what was not as it should be; ``NotShown`` where this system does not let it be shown.
    static func run(isShort: Bool) async throws -> String
}

/// What was not as it should be.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Why a scenario cannot be had on this system. No failure of the host.
struct NotShown: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Tells those who go on without end that it is enough.
final class Stop: Sendable {
    private let state = Mutex(false)
    var isCalled: Bool { state.withLock(\.self) }
    func call() { state.withLock { $0 = true } }
}

/// Throws unless something is so.
func expect(_ isSo: Bool, _ description: @autoclosure () -> String) throws {
    if !isSo { throw Failure(description()) }
}

extension Double {
    /// With so many digits behind the point.
    func shown(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Int {
    /// Kilobytes, mebibytes: what is easiest to read.
    var shownBytes: String {
        self < 10 << 20 ? "\((Double(self) / 1024).shown(0)) KiB" : "\((Double(self) / 1_048_576).shown(1)) MiB"
    }
}

extension Collection<Duration> {
    /// The middle one, in milliseconds.
    var medianMilliseconds: Double {
        let sorted = sorted()
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2] / .milliseconds(1)
    }
}

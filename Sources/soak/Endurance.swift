import Foundation
import HostDriver

/// A scenario with many calls on one connection, many short connections, and many calls to an isolated module. The
/// number of earlier calls must not affect the rate or the memory use.
enum Endurance: Scenario {
    static let name = "endurance"

    private struct Course {
        var rounds: Int
        /// The rate of the tested host after all rounds, in rounds per second.
        var aged: Double
        /// The rate of a fresh host, in rounds per second.
        var fresh: Double
        /// The memory growth in bytes after the first tenth of the rounds.
        var growth: Int

        var ratio: Double { aged / fresh }

        func line(_ what: String) -> String {
            "after \(rounds) \(what): \(Int(aged))/s, fresh host: \(Int(fresh))/s, ratio \(ratio.shown(2)), "
                + "memory growth \(growth.shownBytes)"
        }
    }

    /// The maximum memory growth in bytes. It is above zero because allocators retain some memory over time.
    private static let allowedGrowth = 2 << 20

    static func run(isShort: Bool) async throws -> String {
        // With a small stack, a call depth that grows with each event causes an early overflow.
        let shell = isShort ? "ulimit -s 128" : nil
        // With few connections, a client that does not wait for a free one fails on each machine, not only on a busy one.
        let limit = isShort ? 2 : nil
        let calls = try await course(isolated: false, limit, shell, rounds: isShort ? 2_500 : 1_000_000) { socket in
            let client = try Client(socket)
            return { _ = try client.call("ping") }
        }
        let connections = try await course(isolated: false, limit, shell, rounds: isShort ? 2_500 : 200_000) { socket in
            { _ = try Client(socket).call("ping") }
        }
        let isolated = try await course(isolated: true, limit, shell, rounds: isShort ? 2_500 : 200_000) { socket in
            let client = try Client(socket)
            let scene = try client.open(VersionedModule.route).scene
            return { _ = try client.press("go", in: scene) }
        }
        let line = [
            calls.line("calls"), connections.line("connections"), isolated.line("calls to an isolated module"),
        ].joined(separator: "; ")
        // Do not check the results of a short run, which uses a debug build on a busy machine.
        for course in isShort ? [] : [calls, connections, isolated] {
            try expect(course.ratio >= 0.9 && course.growth <= allowedGrowth, line)
        }
        return line
    }

    /// Repeats a round many times, then compares the host's rate with the rate of a fresh host.
    ///
    /// - Parameters:
    ///   - isolated: True to run the module in a worker.
    ///   - limit: The host's limit for connections, or nil.
    ///   - shell: A shell command that runs before the host, or nil.
    ///   - rounds: The number of rounds before the comparison.
    ///   - prepare: A closure that connects to a socket and returns a function that performs one round.
    private static func course(
        isolated: Bool, _ limit: Int?, _ shell: String?, rounds: Int,
        _ prepare: @escaping @Sendable (_ socket: String) throws -> () throws -> Void
    ) async throws -> Course {
        let aged = try await Served(isolated: isolated, connections: limit, shell: shell)
        let fresh = try await Served(isolated: isolated, connections: limit, shell: shell)
        let course = try await aged.explaining {
            try await onOwnThread {
                let act = try prepare(aged.socket)
                for _ in 0..<rounds / 10 { try act() }
                let before = try aged.residentMemory(withWorkers: isolated)
                for _ in 0..<rounds * 9 / 10 { try act() }
                let growth = try aged.residentMemory(withWorkers: isolated) - before
                let (old, new) = try compare(act, try prepare(fresh.socket), rounds: rounds / 10)
                return Course(rounds: rounds, aged: old, fresh: new, growth: growth)
            }
        }
        try await aged.expectAlive()
        return course
    }

    /// Measures two rates alternately, so that other load on the machine affects both.
    ///
    /// - Returns: Both rates in rounds per second.
    private static func compare(
        _ first: () throws -> Void, _ second: () throws -> Void, rounds: Int
    ) throws -> (Double, Double) {
        var times = (Duration.zero, Duration.zero)
        let turns = 50
        let clock = ContinuousClock()
        for _ in 0..<turns {
            times.0 += try clock.measure { for _ in 0..<rounds / turns { try first() } }
            times.1 += try clock.measure { for _ in 0..<rounds / turns { try second() } }
        }
        let count = Double(rounds / turns * turns)
        return (count / (times.0 / .seconds(1)), count / (times.1 / .seconds(1)))
    }
}

import Foundation
import TestSupport

/// Makes many calls on one connection, opens many connections one after the other, and calls an isolated module many times: neither rate nor
/// memory may change with what came before.
enum Endurance: Scenario {
    static let name = "endurance"

    private struct Course {
        var rounds: Int
        /// Rounds a second of the host that has done so many, and of one that has just begun.
        var aged: Double
        var fresh: Double
        /// In bytes, from the first tenth of the rounds to the last.
        var growth: Int

        var ratio: Double { aged / fresh }

        func line(_ what: String) -> String {
            "after \(rounds) \(what) \(Int(aged))/s, a fresh host \(Int(fresh))/s: \(ratio.shown(2)) ×, "
                + "memory \(growth.shownBytes) more"
        }
    }

    /// What memory may grow by, in bytes: allocators keep a little more over time.
    private static let allowedGrowth = 2 << 20

    static func run(isShort: Bool) async throws -> String {
        // A stack this small overflows early if each event makes the next one's call deeper.
        let shell = isShort ? "ulimit -s 256" : nil
        let calls = try await course(isolated: false, shell, rounds: isShort ? 5_000 : 1_000_000) { socket in
            let client = try Client(socket)
            return { _ = try client.call("ping") }
        }
        let connections = try await course(isolated: false, shell, rounds: isShort ? 5_000 : 200_000) { socket in
            { _ = try Client(socket).call("ping") }
        }
        let isolated = try await course(isolated: true, shell, rounds: isShort ? 5_000 : 200_000) { socket in
            let client = try Client(socket)
            let scene = try client.open(VersionedModule.route).scene
            return { _ = try client.press("go", in: scene) }
        }
        let line = [
            calls.line("calls"), connections.line("connections"), isolated.line("calls to an isolated module"),
        ].joined(separator: "; ")
        // A short run is of a debug build on a busy machine: there it is enough to survive.
        for course in isShort ? [] : [calls, connections, isolated] {
            try expect(course.ratio >= 0.9 && course.growth <= allowedGrowth, line)
        }
        return line
    }

    /// Does the same again and again, and then compares the host with a fresh one.
    ///
    /// - Parameter prepare: Connects to the socket, and returns what a round does.
    private static func course(
        isolated: Bool, _ shell: String?, rounds: Int,
        _ prepare: @escaping @Sendable (_ socket: String) throws -> () throws -> Void
    ) async throws -> Course {
        let aged = try await Served(isolated: isolated, shell: shell)
        let fresh = try await Served(isolated: isolated, shell: shell)
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

    /// Measures two rates in turns, so that whatever else the machine does meets both alike.
    ///
    /// - Returns: Rounds a second of each.
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

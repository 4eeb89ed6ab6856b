import Foundation
import HostDriver

/// A scenario in which a module is replaced many times while clients call it continuously.
enum Replace: Scenario {
    static let name = "replace"
    private static let clients = 8

    private struct Seen {
        var calls = 0
        var slowest = Duration.zero
    }

    /// The host's memory use, in bytes.
    private struct Memory {
        var before: Int
        var after: Int
        /// The number of generations created between the two measurements.
        var generations: Int
        /// The average size of a retired generation's library in memory, in bytes, as reported by the host.
        var image: Int
    }

    static func run(isShort: Bool) async throws -> String {
        let count = isShort ? 10 : 1000
        let served = try await Served()
        let begin = ContinuousClock.now
        let (seen, memory) = try await served.explaining { try await replace(served, count) }
        let time = ContinuousClock.now - begin
        try await served.expectAlive()
        let calls = seen.reduce(0) { $0 + $1.calls }
        let slowest = seen.map(\.slowest).max() ?? .zero
        let grown = (memory.after - memory.before) / memory.generations
        let rate = Int(Double(calls) / (time / .seconds(1)))
        var line = "\(count) replacements under \(clients) clients: \(calls) calls, \(rate) calls/s, "
        line += "0 failed, 0 lost, 0 mixed; "
        line += "slowest call \((slowest / .milliseconds(1)).shown(1)) ms; "
        line += "\((time / .milliseconds(1) / Double(count)).shown(1)) ms per replacement; "
        line += "memory \(memory.before.shownBytes) → \(memory.after.shownBytes), "
        line += "\(grown.shownBytes) per generation, of which \(memory.image.shownBytes) is its image"
        return line
    }

    private static func replace(_ served: Served, _ count: Int) async throws -> ([Seen], Memory) {
        let (stop, socket) = (Stop(), served.socket)
        return try await withThrowingTaskGroup(of: Seen.self) { group in
            for _ in 0..<clients {
                group.addTask { try await onOwnThread { try callWithoutPause(socket, until: stop) } }
            }
            // This also stops the clients if a replacement fails.
            defer { stop.call() }
            let memory = try await onOwnThread { try replaceInTurn(served, count) }
            stop.call()
            return (try await group.reduce(into: []) { $0.append($1) }, memory)
        }
    }

    /// Replaces the module `count` times. Before each replacement, waits until the host has announced the previous
    /// replacement.
    ///
    /// - Returns: The host's memory use after the first tenth of the replacements, when pools and caches are full, and
    ///   at the end.
    private static func replaceInTurn(_ served: Served, _ count: Int) throws -> Memory {
        let client = try Client(served.socket)
        _ = try client.call("subscribe", #"{"to":["registry"]}"#)
        // Load the module by opening its route.
        _ = try client.open(VersionedModule.route)
        let first = count / 10
        var before = 0
        for version in 2...count + 1 {
            try served.put(version)
            _ = try client.notification { $0.params?.module == "versioned" && $0.params?.generation == version }
            if version == first + 1 { before = try served.residentMemory() }
        }
        let title = try client.open(VersionedModule.route).screen.title
        try expect(title == "\(count + 1)", "version \(title) answers, expected \(count + 1)")
        let numbers = try client.numbers()
        try expect(
            numbers.retired >= count - 1,
            "the statistics show \(numbers.retired) retired generations, expected \(count - 1) or more")
        return Memory(
            before: before, after: try served.residentMemory(), generations: count - first,
            image: numbers.retiredMemory / numbers.retired)
    }

    private static func callWithoutPause(_ socket: String, until stop: Stop) throws -> Seen {
        let client = try Client(socket)
        var seen = Seen()
        var last = 0
        func timed<Value>(_ call: () throws -> Value) throws -> Value {
            let begin = ContinuousClock.now
            defer {
                seen.slowest = max(seen.slowest, ContinuousClock.now - begin)
                seen.calls += 1
            }
            return try call()
        }
        while !stop.isCalled {
            let (scene, opened) = try timed { try client.open(VersionedModule.route) }
            let pressed = try timed { try client.press("go", in: scene) }
            _ = try timed { try client.call("close", #"{"scene":\#(scene)}"#) }
            guard let version = Int(opened.title) else { throw Failure("the title is not a version: \(opened.title)") }
            let others = [opened.sections?.first?.rows.first?.title, pressed.title, pressed.text]
            try expect(
                others.allSatisfy { $0 == opened.title }, "one scene shows several versions: \(version) and \(others)")
            try expect(version >= last, "version \(version) answered after version \(last)")
            last = version
        }
        return seen
    }
}

import Foundation
import TestSupport

/// A module is replaced again and again under clients that call it without pause.
enum Replace: Scenario {
    static let name = "replace"
    private static let clients = 8

    /// What one client has seen.
    private struct Seen {
        var calls = 0
        var slowest = Duration.zero
    }

    static func run(isShort: Bool) async throws -> String {
        let count = isShort ? 30 : 1000
        let served = try await Served()
        let stop = Stop()
        let (seen, memory, time) = try await withThrowingTaskGroup(of: Seen.self) { group in
            for _ in 0..<clients {
                let socket = served.socket
                group.addTask { try await onThread { try callWithoutPause(socket, until: stop) } }
            }
            defer { stop.call() }
            let begin = ContinuousClock.now
            let memory = try await onThread { try replace(served, count) }
            let time = ContinuousClock.now - begin
            stop.call()
            return (try await group.reduce(into: []) { $0.append($1) }, memory, time)
        }
        try await served.expectAlive()
        let calls = seen.reduce(0) { $0 + $1.calls }
        let slowest = seen.map(\.slowest).max() ?? .zero
        let grown = (memory.after - memory.before) / max(1, memory.generations)
        return "\(count) replacements under \(clients) clients: \(calls) calls, \(Int(Double(calls) / (time / .seconds(1)))) calls/s, "
            + "0 failed, 0 lost, 0 mixed; slowest call \((slowest / .milliseconds(1)).shown(1)) ms; "
            + "\((time / .milliseconds(1) / Double(count)).shown(1)) ms a replacement; memory \(memory.before.shownBytes) → "
            + "\(memory.after.shownBytes), \(grown.shownBytes) a generation, of it \(memory.images.shownBytes) of its image"
    }

    /// Replaces the module, each time when the version before it answers.
    ///
    /// - Returns: The host's memory after the first tenth, in which pools and caches fill, and at the end; and what the host itself
    ///   says of the images that it keeps.
    private static func replace(
        _ served: Served, _ count: Int
    ) throws -> (before: Int, after: Int, generations: Int, images: Int) {
        let client = try Client(served.socket)
        _ = try client.call("subscribe", #"{"to":["registry"]}"#)
        // It is made when it is first needed.
        _ = try client.open(VersionedModule.route)
        let first = count / 10
        var before = 0
        for version in 2...count + 1 {
            try served.put(version)
            _ = try client.notification { $0.params?.module == "versioned" && $0.params?.generation == version }
            if version == first + 1 { before = try served.residentMemory() }
        }
        try expect(try client.open(VersionedModule.route).screen.title == "\(count + 1)", "the last version does not answer")
        let numbers = try client.numbers()
        try expect(numbers.retired >= count - 1, "\(numbers.retired) generations are counted as retired")
        return (before, try served.residentMemory(), count - first, numbers.retiredMemory / numbers.retired)
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
            guard let version = Int(opened.title) else { throw Failure("a title that is no version: \(opened.title)") }
            let others = [opened.sections?.first?.rows.first?.title, pressed.title, pressed.text]
            try expect(others.allSatisfy { $0 == opened.title }, "versions are mixed: \(version) and \(others)")
            try expect(version >= last, "version \(version) answers after \(last)")
            last = version
        }
        return seen
    }
}

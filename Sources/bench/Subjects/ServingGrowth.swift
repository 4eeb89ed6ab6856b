import HostDriver

/// A subject that measures a serving host with many loaded modules and many open scenes.
enum ServingGrowth: Subject {
    static let name = "growth"
    static let summary = "Many loaded modules and many open scenes"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let scenes = effort == .quick ? (few: 20, many: 100) : (few: 1_000, many: 100_000)
        let modules = effort == .quick ? (few: 2, many: 10) : (few: 10, many: 1_000)
        return [
            trial("open one of \(modules.many) modules", .partOfTime, "\(modules.few) modules") {
                try await loaded($0 ? modules.many : modules.few).time
            },
            trial("private memory of one of \(modules.many) loaded modules", .memory, "\(modules.few) modules") {
                try await loaded($0 ? modules.many : modules.few).memory
            },
            trial("open one of \(scenes.many) scenes", .partOfTime, "\(scenes.few) scenes") {
                try await opened($0 ? scenes.many : scenes.few).time
            },
            trial("private memory of one of \(scenes.many) open scenes", .memory, "\(scenes.few) scenes") {
                try await opened($0 ? scenes.many : scenes.few).memory
            },
        ]
    }

    /// The time in nanoseconds and the memory in bytes, for each module or scene.
    typealias Cost = (time: Int, memory: Int)

    @MainActor
    private static func trial(
        _ name: String, _ quantity: Quantity, _ few: String, _ cost: @escaping @MainActor (Bool) async throws -> Int
    ) -> Trial {
        Trial(
            name, quantity, floor: "the same with \(few)", subject: { _ in try await cost(true) },
            by: { _ in try await cost(false) })
    }

    /// Opens a route of each module for the first time, and closes its scene.
    static func loaded(_ count: Int) async throws -> Cost {
        let root = try ScratchRoot()
        try await PlainModule(title: "plain").install(count + 1, in: root)
        let host = try await ServingHost(root, environment: root.environment)
        let client = try LineClient(connectingTo: host.socket)
        try check(client.open("plain0"))
        return try await cost(of: count, host) { try check(client.open("plain\($0 + 1)")) }
    }

    /// Opens a route many times without closing the scenes.
    private static func opened(_ count: Int) async throws -> Cost {
        let root = try ScratchRoot()
        try await PlainModule(title: "plain").install(1, in: root)
        let host = try await ServingHost(root, "--limit", "scenes=\(count + 1)", environment: root.environment)
        let client = try LineClient(connectingTo: host.socket)
        try check(client.open("plain0"))
        return try await cost(of: count, host) { _ in try check(client.open("plain0", keepingOpen: true)) }
    }

    private static func cost(of count: Int, _ host: ServingHost, _ step: (Int) throws -> Void) async throws -> Cost {
        let (memory, begin) = (try host.privateMemory(), ContinuousClock.now)
        for number in 0..<count { try step(number) }
        let time = Int((ContinuousClock.now - begin) / .nanoseconds(1))
        return (time / count, (try host.privateMemory() - memory) / count)
    }

    private static func check(_ text: String) throws {
        if !text.contains("result") { throw UnexpectedResult(text) }
    }
}

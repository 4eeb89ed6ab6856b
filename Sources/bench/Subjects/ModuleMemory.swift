import FoundationEssentials
import HostDriver

/// A subject that measures the private memory of a module in a serving host.
enum ModuleMemory: Subject {
    static let name = "memory"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let count = effort == .quick ? 5 : 100
        let floor: Loop = { _ in try await loaded(count) }
        return [
            Trial(
                "private memory of a loaded module", .memory, floor: "dlopen",
                subject: { _ in try await used(count) }, by: floor),
            Trial(
                "private memory of a retired generation", .memory, floor: "dlopen",
                subject: { _ in try await retired(count) }, by: floor),
        ]
    }

    /// Returns the memory of each library of a program that only loads libraries.
    private static func loaded(_ count: Int) async throws -> Int {
        let root = try ScratchRoot()
        try await PlainModule(title: "plain").install(count, in: root)
        let result = try await ChildProcess(Products.folder + "/floor", ["load", root.path + "/Plugins"]).run()
        let numbers = result.text.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
        guard numbers.count == 3, numbers[0] == count else { throw UnexpectedResult("\(result)") }
        return (numbers[2] - numbers[1]) * 1024 / count
    }

    /// Returns the memory of each module of which a host opens a route and closes its scene.
    private static func used(_ count: Int) async throws -> Int {
        let root = try ScratchRoot()
        try await PlainModule(title: "plain").install(count + 1, in: root)
        let host = try await ServingHost(root, environment: root.environment)
        let client = try LineClient(connectingTo: host.socket)
        try open("plain0", client)
        let before = try privateMemory(of: host)
        for number in 1...count { try open("plain\(number)", client) }
        return (try privateMemory(of: host) - before) / count
    }

    /// Returns the memory of each replaced version of a module.
    private static func retired(_ count: Int) async throws -> Int {
        let site = try await ChangingHost(2)
        // The first trials of a library also need memory that later ones use again.
        for _ in 0..<count { _ = try await site.replace() }
        let before = try privateMemory(of: site.host)
        for _ in 0..<count { _ = try await site.replace() }
        return (try privateMemory(of: site.host) - before) / count
    }

    private static func open(_ route: String, _ client: LineClient) throws {
        let text = client.open(route)
        if !text.contains("result") { throw UnexpectedResult(text) }
    }

    /// Returns the bytes that only this process uses and that it has written; see proc_pid_smaps(5).
    static func privateMemory(of host: ServingHost) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(host.process)/smaps_rollup", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw UnexpectedResult(text)
        }
        return kibibytes * 1024
    }
}

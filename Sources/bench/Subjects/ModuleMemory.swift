import HostDriver

/// A subject that measures the private memory of a module in a serving host.
enum ModuleMemory: Subject {
    static let name = "memory"
    static let summary = "Memory of loaded and replaced modules"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let count = effort == .quick ? 5 : 100
        let floor: Loop = { _ in try await loaded(count) }
        return [
            Trial(
                "private memory of a loaded module", .memory, floor: "dlopen",
                subject: { _ in try await ServingGrowth.loaded(count).memory }, by: floor),
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

    /// Returns the memory of each replaced version of a module.
    private static func retired(_ count: Int) async throws -> Int {
        let changing = try await ChangingHost(2)
        // The first trials of a library also need memory that later ones use again.
        for _ in 0..<count { _ = try await changing.replace() }
        let before = try changing.host.privateMemory()
        for _ in 0..<count { _ = try await changing.replace() }
        return (try changing.host.privateMemory() - before) / count
    }
}

import Foundation
import HostDriver

/// A subject that measures a module that shows a large file: 200,000 people in 110 MB.
enum LargeFile: Subject {
    static let name = "people"
    static let summary = "A module that shows a file of 105 MB"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let (count, root) = (effort == .quick ? 500 : 200_000, try ScratchRoot())
        let folder = root.folder.path + "/data"
        let file = try write(count, to: folder)
        let host = ChildProcess(
            root.executable, ["run", "list", "--root", root.path, "--data", folder], environment: root.environment)
        let floor = ChildProcess(Products.folder + "/floor", ["people", file])
        let floorName = "a program that validates, decodes, groups and prints the same"
        // The screen has more than the usual eight megabytes.
        let server = try await ServingHost(root, "--data", folder, "--limit", "pending=67108864")
        let client = ChildProcess(
            root.executable, ["run", "list", "--via", server.socket], environment: root.environment)
        var trials = [
            Trial(
                "host run list, \(count) people", floor: floorName, subject: CommandRun.loop(host, root),
                by: CommandRun.loop(floor, root)),
            Trial(
                "peak memory of host run list, \(count) people", .memory, floor: floorName,
                subject: memory(host), by: memory(floor)),
            Trial(
                "host run list --via, \(count) people", floor: "the same without --via",
                subject: { count in
                    defer { withExtendedLifetime(server) {} }
                    return try await CommandRun.loop(client, root)(count)
                }, by: CommandRun.loop(host, root)),
        ]
        let (unpacked, packed) = (try await people(count), try await people(count, isPacked: true))
        trials.append(
            Trial(
                "host run list, \(count) people in the library", floor: "the same in a folder",
                subject: list(packed), by: list(unpacked)))
        // jq is no part of the system.
        let query = "group_by(.company)[] | .[0].company, (.[] | \"  \\(.name.first) \\(.name.last)  \\(.balance)\")"
        let program = ChildProcess("jq", ["-r", query, file])
        if let result = try? await program.run(), result.ending == .code(0) {
            trials.append(
                Trial(
                    "host run list, \(count) people, and jq", floor: "jq, which groups and prints the same",
                    subject: CommandRun.loop(host, root), by: CommandRun.loop(program, root)))
        }
        return trials
    }

    /// Returns a root whose module has the people as a resource, in its library or in a folder beside it.
    private static func people(_ count: Int, isPacked: Bool = false) async throws -> ScratchRoot {
        let root = try ScratchRoot()
        let (library, manifest) = ("\(root.path)/Plugins/libCompanyList.so", "\(root.path)/Manifests/company-list.json")
        let resources = "\(root.path)/Plugins/CompanyList/Resources"
        try root.copy("\(Products.folder)/libCompanyList.so", to: "libCompanyList.so")
        _ = try write(count, to: resources)
        if isPacked {
            let result = try await ChildProcess(root.executable, ["pack", library, manifest]).run()
            if result.ending != .code(0) { throw UnexpectedResult("host pack failed: \(result)") }
            try FileManager.default.removeItem(atPath: resources)
        }
        return root
    }

    private static func list(_ root: ScratchRoot) -> Loop {
        let words = ["run", "list", "--root", root.path]
        return CommandRun.loop(ChildProcess(root.executable, words, environment: root.environment), root)
    }

    private static func memory(_ child: ChildProcess) -> Loop { { _ in try await child.run().peakMemory } }

    /// Writes people like those of the bundled module, with unique IDs, in 5,000 companies.
    private static func write(_ count: Int, to folder: String) throws -> String {
        let file = "\(Products.repository)/Plugins/CompanyList/Resources/company.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let (start, end) = (text.firstIndex(of: "{"), text.range(of: "\n  },"))
        guard let start, let end else { throw UnexpectedResult("\(file) contains no people") }
        let person = text[start..<end.lowerBound] + "\n  }"
        let parts = person.split(separator: /"_id": "[^"]*"|"company": "[^"]*"/, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw UnexpectedResult("a person in \(file) has other properties") }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let target = folder + "/company.json"
        try Data("[".utf8).write(to: URL(filePath: target))
        let output = try FileHandle(forWritingTo: URL(filePath: target))
        try output.seekToEnd()
        // The file is written in parts, because the peak memory of a child process includes that of this process.
        for start in stride(from: 0, to: count, by: 1_000) {
            let people = (start..<min(start + 1_000, count)).map { number in
                "\(parts[0])\"_id\": \"\(number)\"\(parts[1])\"company\": \"COMPANY \(number % 5_000)\"\(parts[2])"
            }
            try output.write(contentsOf: Data(((start > 0 ? ",\n  " : "") + people.joined(separator: ",\n  ")).utf8))
        }
        try output.write(contentsOf: Data("]".utf8))
        try output.close()
        return target
    }
}

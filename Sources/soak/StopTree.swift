import Foundation
import HostDriver

/// A scenario in which signals end a host, its workers, or both, while many modules are replaced. No library is at
/// fault, so the host must not quarantine any of them.
enum StopTree: Scenario {
    static let name = "stop"
    private static let modules = VersionedModule.many.count

    /// The processes that receive a signal in a round.
    private enum Target: CaseIterable { case tree, workers }

    private struct Met {
        /// The workers that received a signal.
        var workers = 0
        /// The rounds in which at least one worker did.
        var rounds = 0
    }

    static func run(isShort: Bool) async throws -> String {
        let count = isShort ? 6 : 200
        let module = try await VersionedModule()
        let root = try ScratchRoot()
        for name in VersionedModule.many {
            try root.add(ManifestText(name, library: "lib\(name).so", routes: [name]))
            try root.add(library: module.library(1), as: "lib\(name).so")
        }
        var met = Met()
        for round in 0..<count {
            let host = try await Served.host(in: root)
            try await expectNoRefusal(host, in: root, round)
            try put(round + 2, of: module, in: root)
            let workers = try await strike(host, round)
            met.workers += workers
            met.rounds += workers > 0 ? 1 : 0
        }
        let host = try await Served.host(in: root)
        try await expectNoRefusal(host, in: root, count)
        try expect(met.rounds > 0, "no worker ever received a signal")
        return "\(count) rounds of \(modules) replacements: \(met.workers) workers ended by signals in \(met.rounds) "
            + "rounds, 0 libraries refused"
    }

    private static func put(_ version: Int, of module: VersionedModule, in root: ScratchRoot) throws {
        for (index, name) in VersionedModule.many.enumerated() {
            // Each library has its own digest, so that each is probed.
            let staged = try root.folder.write(module.library(version * modules + index), to: "root/staged")
            try expect(rename(staged, "\(root.path)/Plugins/lib\(name).so") == 0, "cannot rename: \(errno)")
        }
    }

    /// Sends a signal after a time that depends on the round, and returns the number of workers that received it. If the
    /// signal was for the workers only, waits until the modules can be used, then stops the host.
    private static func strike(_ host: ServingHost, _ round: Int) async throws -> Int {
        try await Task.sleep(for: .milliseconds(round * 37 % 700))
        let target = Target.allCases[round % 2]
        let signal = [SIGTERM, SIGKILL, SIGINT][round / 2 % 3]
        let workers = try descendants(of: host.process)
        for process in workers { kill(process, signal) }
        if target == .tree {
            host.send(signal)
            _ = try await host.end()
            return workers.count
        }
        try await onOwnThread { try expectUse(host.socket) }
        host.send(SIGTERM)
        let end = try await host.end()
        try expect(end == .code(0), "the host ended by \(end): \(host.log)")
        return workers.count
    }

    /// Opens each module. An open may fail if its trial was running when the workers were ended.
    private static func expectUse(_ socket: String) throws {
        let client = try Client(socket)
        for name in VersionedModule.many {
            let begin = ContinuousClock.now
            while true {
                let answer = try client.ask("open", #"{"route":"\#(name)"}"#)
                if answer.result?.scene != nil { break }
                let isKilled = answer.error?.data?.code == "worker-killed"
                try expect(isKilled, "cannot open \(name): \(answer.error?.message ?? "?")")
                try expect(ContinuousClock.now - begin < Patience.limit, "\(name) cannot be opened")
            }
        }
    }

    private static func expectNoRefusal(_ host: ServingHost, in root: ScratchRoot, _ round: Int) async throws {
        let folder = "\(Served.state(of: root))/quarantine"
        let reports = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        try expect(reports.isEmpty, "\(reports.count) libraries are quarantined after round \(round): \(host.log)")
        try expect(!host.log.contains("is refused"), "a module is refused after round \(round): \(host.log)")
    }

    /// Returns the workers of a host: the children of its children, which are supervisors.
    private static func descendants(of host: Int32) throws -> [Int32] {
        try children(of: host).flatMap { try children(of: $0) }
    }

    private static func children(of process: Int32) throws -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            let text = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
            return text?.split(separator: " ").compactMap { Int32($0) } ?? []
        }
    }
}

import Foundation
import HostDriver
import Synchronization
import TestSupport
import ViperKit

@testable import HostSystem
@testable import ViperRuntime

final class WatchedRoot: Sendable {
    let scratch: ScratchFolder
    let watcher: Watcher
    let log = Steps()
    private let taken = Mutex<[Set<String>]>([])

    /// Makes the folders `Manifests` and `Plugins`, and starts the watcher.
    ///
    /// - Parameter prepare: A script that runs in the root before it is watched.
    init(_ prepare: String = ":", isHeard: Bool = true) async throws {
        scratch = try ScratchFolder()
        let folders = ["Manifests", "Plugins"].map { [scratch] in "\(scratch.path)/\($0)" }
        try await Self.run("mkdir Manifests Plugins; " + prepare, in: scratch)
        watcher = Watcher(
            folders: folders, logger: LineLogger(source: "host", minimum: .warning) { [log] in log.add($0) })
        if isHeard { listen() }
    }

    deinit { watcher.stop() }

    /// All reports, with paths relative to the root.
    var reports: [Set<String>] { taken.withLock { $0 } }

    func count(_ path: String) -> Int { reports.filter { $0.contains(path) }.count }

    func listen() {
        Task { [watcher, weak self] in
            while let paths = await watcher.next() { self?.take(paths) }
        }
    }

    private func take(_ paths: Set<String>) {
        taken.withLock { $0.append(Set(paths.map { String($0.dropFirst(scratch.path.count + 1)) })) }
    }

    func run(_ script: String) async throws { try await Self.run(script, in: scratch) }

    private static func run(_ script: String, in scratch: ScratchFolder) async throws {
        var child = ChildProcess("sh", ["-ec", script])
        child.workingFolder = scratch.path
        let result = try await child.run()
        if result.ending != .code(0) { throw Tool.Failure(description: "\(script): \(result)") }
    }

    func hears(_ path: String) async -> Bool { await eventually { count(path) > 0 } }

    /// Waits until all earlier changes are reported, including delayed ones.
    func catchUp() async throws {
        let name = "fence-\(UUID().uuidString)"
        try await run("echo 1 > Manifests/\(name)")
        guard await hears("Manifests/\(name)") else { throw Tool.Failure(description: "nothing is reported") }
        let before = count("Manifests/\(name)")
        try await run("rm Manifests/\(name)")
        guard await eventually({ count("Manifests/\(name)") > before }) else {
            throw Tool.Failure(description: "nothing is reported")
        }
    }
}

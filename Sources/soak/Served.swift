import Foundation
import Glibc
import HostDriver

/// A root that contains the versioned module, and a host that serves the root.
struct Served {
    let root: ScratchRoot
    let host: ServingHost
    let module: VersionedModule

    /// Creates the root, and starts a host that serves it.
    ///
    /// - Parameters:
    ///   - isolated: True to run the module in a worker.
    ///   - connections: The host's limit for connections. If nil, the host uses its default.
    ///   - shell: A shell command that runs before the host. `$STATE` is the path of the host's state folder.
    ///   - namespaces: The options for `unshare`, which creates namespaces for the host. If nil, `unshare` is not used.
    /// - Throws: ``NotShown`` if `unshare`, or the shell command in its namespaces, fails. ``ChildFailure`` if the host
    ///   does not start.
    init(
        isolated: Bool = false, connections: Int? = nil, shell: String? = nil, namespaces: String? = nil
    ) async throws {
        module = try await VersionedModule()
        root = try ScratchRoot()
        try root.add(VersionedModule.manifest(isolated: isolated))
        try root.add(library: module.library(1), as: VersionedModule.library)
        try root.add(VersionedModule.bystander)
        let library = module.library(VersionedModule.bystanderVersion)
        try root.add(library: library, as: VersionedModule.bystander.library)
        do { host = try await Self.host(in: root, connections, shell, namespaces) } catch let failure as ChildFailure {
            // The message comes from the shell or from unshare, not from the host.
            if namespaces != nil, !failure.description.contains("host: ") {
                throw NotShown("not possible on this system: \(failure)")
            }
            throw failure
        }
    }

    static func host(
        in root: ScratchRoot, _ connections: Int? = nil, _ shell: String? = nil, _ namespaces: String? = nil
    ) async throws -> ServingHost {
        // A backtrace takes time to print, but explains a crash.
        let environment = ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,images=none,threads=crashed"]
        return try await ServingHost(root, "--state", state(of: root), environment: environment) { child in
            if let connections { child.arguments += ["--limit", "connections=\(connections)"] }
            guard let shell else { return }
            let words = ["sh", "-c", "\(shell) && exec \"$@\"", "sh", child.program] + child.arguments
            child.environment["STATE"] = state(of: root)
            child.program = namespaces == nil ? "sh" : "unshare"
            child.arguments = namespaces.map { [$0] + words } ?? Array(words.dropFirst())
        }
    }

    static func state(of root: ScratchRoot) -> String { root.folder.path + "/state" }

    var socket: String { host.socket }

    /// Replaces the library with another version by renaming a file. Returns the time just before the rename.
    @discardableResult
    func put(_ version: Int) throws -> ContinuousClock.Instant {
        let staged = try root.folder.write(module.library(version), to: "root/staged")
        let begin = ContinuousClock.now
        try expect(rename(staged, "\(root.path)/Plugins/\(VersionedModule.library)") == 0, "cannot rename: \(errno)")
        return begin
    }

    /// Returns the host's resident memory (`VmRSS`), in bytes.
    func residentMemory() throws -> Int { try Self.status(host.process, "VmRSS") * 1024 }

    /// Returns the host's resident memory, in bytes, plus the memory of the module's worker if `withWorkers` is true.
    func residentMemory(withWorkers: Bool) throws -> Int {
        guard withWorkers, let worker = try Client(socket).numbers().process else { return try residentMemory() }
        return try residentMemory() + Self.status(worker, "VmRSS") * 1024
    }

    static func status(_ process: Int32, _ key: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(key):") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Runs a closure. If the closure throws a ``Failure``, adds the host's state and log to the failure.
    func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let failure as Failure {
            // Wait for the host to exit, because a crashing host first writes its crash report.
            for _ in 0..<300 where !host.hasEnded { try? await Task.sleep(for: .milliseconds(10)) }
            throw Failure("\(failure); the host \(host.hasEnded ? "has exited" : "is running"); its log: \(host.log)")
        }
    }

    /// Throws an error if the host has exited or the bystander module does not answer.
    func expectAlive() async throws {
        try expect(!host.hasEnded, "the host has exited: \(host.log)")
        let socket = socket
        try await onOwnThread {
            let title = try Client(socket).open(VersionedModule.bystander.name).screen.title
            try expect(
                title == "\(VersionedModule.bystanderVersion)",
                "the other module shows \(title), expected \(VersionedModule.bystanderVersion)")
        }
    }
}

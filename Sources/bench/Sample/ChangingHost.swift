import Foundation
import HostDriver

/// A serving host whose root changes.
@MainActor
final class ChangingHost {
    let count: Int
    private let root: ScratchRoot
    let host: ServingHost
    private let client: LineClient
    /// Two versions of the library. The second is in use next.
    private var versions: [(title: String, content: Data)]
    private var replacements = 0

    init(_ count: Int) async throws {
        self.count = count
        root = try ScratchRoot()
        versions = [
            ("version one", try await PlainModule(title: "version one").content()),
            ("version two", try await PlainModule(title: "version two").content()),
        ]
        try await PlainModule(title: "version one").install(count, in: root)
        host = try await ServingHost(root, environment: root.environment)
        client = try LineClient(connectingTo: host.socket)
        // The module has a generation, and the host has read the root once more after its start.
        _ = try await replace()
    }

    /// Replaces a library, and returns the nanoseconds until the new version answers.
    func replace() async throws -> Int {
        versions.swapAt(0, 1)
        replacements += 1
        // The host tries each new library. It knows the digests of those that worked.
        let content = versions[0].content + Data("\(replacements)".utf8)
        let title = versions[0].title
        try root.folder.write(content, to: "staged.so")
        return try rename("staged.so", to: "root/Plugins/libPlain0.so") { $0.contains(title) }
    }

    /// Removes a module, and returns the nanoseconds until its route is unknown. Then installs the module again.
    func remove() async throws -> Int {
        let time = try rename("root/Manifests/plain1.json", to: "plain1.json") { $0.contains("error") }
        _ = try rename("plain1.json", to: "root/Manifests/plain1.json") { $0.contains("result") }
        return time
    }

    /// Returns the nanoseconds of a process that loads the library.
    func load() async throws -> Int {
        let folder = root.folder.path + "/one"
        if access(folder, F_OK) != 0 {
            mkdir(folder, 0o700)
            try root.folder.write(versions[0].content, to: "one/libPlain.so")
        }
        let begin = ContinuousClock.now
        let result = try await ChildProcess(Products.folder + "/floor", ["load", folder]).run()
        let time = ContinuousClock.now - begin
        if result.ending != .code(0) { throw UnexpectedResult("\(result)") }
        return Int(time / .nanoseconds(1))
    }

    /// Renames a file of the root's folder, and returns the nanoseconds until the response to `open` is as expected.
    private func rename(_ old: String, to new: String, until isExpected: (String) -> Bool) throws -> Int {
        let folder = root.folder.path
        let route = new.contains("Plain0") ? "plain0" : "plain1"
        let begin = ContinuousClock.now
        if Glibc.rename("\(folder)/\(old)", "\(folder)/\(new)") != 0 { throw UnexpectedResult("cannot rename \(old)") }
        while !isExpected(client.open(route)) {
            if ContinuousClock.now - begin > Patience.limit { throw UnexpectedResult("\(new) had no effect") }
            usleep(200)
        }
        return Int((ContinuousClock.now - begin) / .nanoseconds(1))
    }
}

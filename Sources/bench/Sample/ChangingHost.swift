import Foundation
import HostDriver

/// A serving host whose root changes.
@MainActor
final class ChangingHost {
    let count: Int
    private let root: ScratchRoot
    /// A root with the same module and no other.
    private let single: ScratchRoot
    let host: ServingHost
    private let client: LineClient
    /// Two versions of the library. The second is in use next.
    private var versions: [(title: String, content: Data)]
    private var replacements = 0

    init(_ count: Int) async throws {
        self.count = count
        (root, single) = (try ScratchRoot(), try ScratchRoot())
        versions = [
            ("version one", try await PlainModule(title: "version one").content()),
            ("version two", try await PlainModule(title: "version two").content()),
        ]
        try await PlainModule(title: "version one").install(count, in: root)
        try await PlainModule(title: "version one").install(1, in: single)
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
        return try rename("staged.so", to: "root/Plugins/libplain0.so") { $0.contains(title) }
    }

    /// Removes a module, and returns the nanoseconds until its route is unknown. Then installs the module again.
    func remove() async throws -> Int {
        let time = try rename("root/Manifests/plain1.json", to: "plain1.json") { $0.contains("error") }
        _ = try rename("plain1.json", to: "root/Manifests/plain1.json") { $0.contains("result") }
        return time
    }

    /// Returns the nanoseconds from the start of a process like a worker until it has loaded the library and answers.
    func start() async throws -> Int {
        let begin = ContinuousClock.now
        let (host, client) = try ServingHost.atStandardIO(single, "--as-is", environment: root.environment)
        let answer = try await client.call("open", #"{"route":"plain0"}"#)
        let time = ContinuousClock.now - begin
        if !answer.contains("version one") { throw UnexpectedResult("\(answer) \(host.log)") }
        return Int(time / .nanoseconds(1))
    }

    /// Renames a file of the root's folder, and returns the nanoseconds until the response to `open` is as expected.
    private func rename(_ old: String, to new: String, until isExpected: (String) -> Bool) throws -> Int {
        let folder = root.folder.path
        let route = new.contains("plain0") ? "plain0" : "plain1"
        let begin = ContinuousClock.now
        if Glibc.rename("\(folder)/\(old)", "\(folder)/\(new)") != 0 { throw UnexpectedResult("cannot rename \(old)") }
        while !isExpected(client.open(route)) {
            if ContinuousClock.now - begin > Patience.limit { throw UnexpectedResult("\(new) had no effect") }
            usleep(200)
        }
        return Int((ContinuousClock.now - begin) / .nanoseconds(1))
    }
}

import Foundation
import HostDriver

/// A scenario in which the host cannot watch folders because the user has reached an inotify limit.
enum Inotify: Scenario {
    static let name = "inotify"

    static func run(isShort: Bool) async throws -> String {
        async let instances = replaceUnwatched("max_inotify_instances", 0)
        async let watches = replaceUnwatched("max_inotify_watches", 1)
        return "a replacement takes effect after \(try await instances) ms without an instance, "
            + "after \(try await watches) ms with too few watches; the host logs that it polls"
    }

    /// Replaces the module, and returns the time until the new version answers, in milliseconds.
    private static func replaceUnwatched(_ limit: String, _ value: Int) async throws -> String {
        let served = try await Served(shell: "echo \(value) > /proc/sys/user/\(limit)", namespaces: "-r")
        let isTold = await eventually { served.host.log.contains("cannot watch") }
        try expect(isTold, "the host did not log that it cannot watch: \(served.host.log)")
        let time = try await onOwnThread {
            let client = try Client(served.socket)
            _ = try client.call("subscribe", #"{"to":["registry"]}"#)
            _ = try client.open(VersionedModule.route)
            let begin = ContinuousClock.now
            try served.put(2)
            _ = try client.notification { $0.params?.module == "versioned" && $0.params?.generation == 2 }
            try expect(try client.open(VersionedModule.route).screen.title == "2", "the old version still answers")
            return ContinuousClock.now - begin
        }
        try await served.expectAlive()
        return (time / .milliseconds(1)).shown(0)
    }
}

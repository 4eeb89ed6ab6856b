public import Foundation
public import HostDriver
public import Testing

/// Another user of the machine, as an attacker: an account without rights to the tests' files.
///
/// Only root can act as another user, so these tests run only as root, as `.ci/run` does. Otherwise the test run lists
/// each of them as skipped.
public enum Stranger {
    /// The stranger's user id and group id. No account with these ids has to exist.
    public static let user: uid_t = 54_321
    /// A second user, for attacks on a user other than root.
    public static let victim: uid_t = 54_322

    public static let isAvailable = getuid() == 0

    /// Returns a program that runs as another user, in the group with the same number and no other group.
    public static func program(_ program: String, _ arguments: [String] = [], as user: uid_t = user) -> ChildProcess {
        ChildProcess(
            "/usr/bin/setpriv", ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program] + arguments)
    }

    /// Runs a shell script as another user, and requires that it succeeds.
    public static func run(_ script: String, as user: uid_t = user) async throws {
        let result = try await program("/bin/sh", ["-ec", script], as: user).run()
        try #require(result.ending == .code(0), "\(result)")
    }
}

extension Trait where Self == ConditionTrait {
    /// A condition that runs a test only if it can act as another user.
    public static var withStrangers: Self { .enabled(if: Stranger.isAvailable, "needs root, to act as another user") }
}

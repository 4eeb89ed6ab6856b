public import Foundation
public import Testing

/// Another user of the machine, as an attacker has it: an account without rights over the files of these tests.
///
/// Only root can act as another user, so tests with strangers run where the tests run as root, as `.ci/run` does. Elsewhere they are
/// skipped, and the test run names each.
public enum Stranger {
    /// The user and group numbers of the stranger. No account has to exist for them.
    public static let user: uid_t = 54_321
    /// A second user, for attacks on somebody who is not root.
    public static let victim: uid_t = 54_322

    /// True if these tests can act as another user.
    public static let isAvailable = getuid() == 0

    /// Returns a program that runs as another user, with that user's group and no others.
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
    /// Runs a test only where it can act as another user.
    public static var withStrangers: Self { .enabled(if: Stranger.isAvailable, "needs root, to act as another user") }
}

public import Foundation
public import HostDriver
import Testing

/// Another user of the machine, who acts as an attacker and has no access to the tests' files.
///
/// Tests with strangers have the trait `.needs(.strangers)`.
public enum Stranger {
    /// The stranger's user ID and group ID. An account with these IDs need not exist.
    public static let user: uid_t = 54_321
    /// The user ID of a victim, for attacks on a user other than root.
    public static let victim: uid_t = 54_322

    /// Returns a process that runs a program as another user. The process belongs only to the group with the same ID as
    /// the user.
    public static func program(_ program: String, _ arguments: [String] = [], as user: uid_t = user) -> ChildProcess {
        ChildProcess(
            "setpriv", ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program] + arguments)
    }

    /// Runs a shell script as another user.
    ///
    /// - Throws: An error if the script fails. The test then also fails.
    public static func run(_ script: String, as user: uid_t = user) async throws {
        let result = try await program("/bin/sh", ["-ec", script], as: user).run()
        try #require(result.ending == .code(0), "\(result)")
    }
}

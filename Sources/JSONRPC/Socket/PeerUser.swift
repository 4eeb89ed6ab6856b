import Glibc
import HostSystem
package import ViperKit

/// The user that runs the process at the other end of a Unix socket.
package enum PeerUser {
    /// Checks that the other end runs as this user or as root.
    ///
    /// The kernel records a server's user at `listen` and a client's user at `connect`. The error begins with `what`
    /// and `subject`, such as `cannot serve` and `a client`.
    ///
    /// - Throws: ``ViperError/Code/peerUntrusted`` if the other end's process runs as another user, or if its user is
    ///   unknown. The cause contains the user ID if it is known.
    package static func check(
        _ descriptor: Int32, _ what: String, _ subject: String, fix: String? = nil
    ) throws(ViperError) {
        if let cause = complaint(descriptor) {
            throw ViperError(.peerUntrusted, operation: what, subject: subject, cause: cause, fix: fix)
        }
    }

    /// Returns the reason why the other end's user is not trusted, or nil if the user is trusted.
    static func complaint(_ descriptor: Int32) -> String? {
        guard let user = user(of: descriptor) else { return "its user is unknown: \(systemReason(errno))" }
        return trusts(user) ? nil : "it runs as \(name(of: user)), expected \(trusted)"
    }

    /// Returns true if a user is the effective user of this process or the system's root user.
    static func trusts(_ user: uid_t) -> Bool { Trust().owners.contains(user) }

    static var trusted: String { geteuid() == 0 ? "root (uid 0)" : "uid \(geteuid()) or root" }

    /// Returns a description of a user for errors. It contains the user ID instead of the user name, because looking up
    /// a name might access the network.
    static func name(of user: uid_t) -> String { user == 0 ? "root (uid 0)" : "uid \(user)" }

    /// Returns the process that has connected. Returns nil if it is unknown.
    package static func process(of descriptor: Int32) -> Int32? {
        // A process of another PID namespace is 0.
        credentials(of: descriptor).flatMap { Int32(exactly: $0[0]) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func user(of descriptor: Int32) -> uid_t? { credentials(of: descriptor)?[1] }

    private static func credentials(of descriptor: Int32) -> [UInt32]? {
        // C's `struct ucred`, which the Glibc module does not export: pid, uid, gid.
        var credentials: [UInt32] = [0, 0, 0]
        var size = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return credentials
    }
}

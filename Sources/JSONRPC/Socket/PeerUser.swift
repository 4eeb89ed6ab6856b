import Glibc
import HostSystem
package import ViperKit

/// The user that runs the process at the other end of a Unix socket.
package enum PeerUser {
    /// Checks that the other end runs as this user or as root.
    ///
    /// The kernel records the user of a server at `listen`, and of a client at `connect`. The error begins with `what`
    /// and `subject`, such as `cannot serve` and `a client`.
    ///
    /// - Throws: ``ViperError/Code/peerUntrusted``, with the uid of the other end.
    package static func check(
        _ descriptor: Int32, _ what: String, _ subject: String, mend: String? = nil
    ) throws(ViperError) {
        guard let user = user(of: descriptor) else {
            throw ViperError(
                .peerUntrusted, what, subject, cause: "its user is unknown: \(systemReason(errno))", mend: mend)
        }
        if trusts(user) { return }
        throw ViperError(
            .peerUntrusted, what, subject, cause: "it runs as \(name(of: user)), expected \(trusted)", mend: mend)
    }

    /// True for the effective user of this process, and for root.
    static func trusts(_ user: uid_t) -> Bool { Trust().owners.contains(user) }

    static var trusted: String { geteuid() == 0 ? "root (uid 0)" : "uid \(geteuid()) or root" }

    /// Returns a user's name for errors. It does not look up the user name, which might access the network.
    static func name(of user: uid_t) -> String { user == 0 ? "root (uid 0)" : "uid \(user)" }

    private static func user(of descriptor: Int32) -> uid_t? {
        // C's `struct ucred`, which the Glibc module does not export: pid, uid, gid.
        var credentials: [UInt32] = [0, 0, 0]
        var size = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return credentials[1]
    }
}

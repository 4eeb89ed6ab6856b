import Glibc
import HostSystem
package import ViperKit

/// The user at the other end of a connected Unix socket.
package enum PeerUser {
    /// Checks that the other end runs as this user or as root. The kernel has recorded its user: that of a server when it began to
    /// listen, that of a client when it connected.
    ///
    /// - Parameters:
    ///   - what: The beginning of the error: `cannot serve`.
    ///   - subject: What the error calls the other end.
    /// - Throws: ``ViperError/Code/peerUntrusted``, with the number of the other user.
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

    /// True for the user of this process and for root, who can do all that the user can.
    static func trusts(_ user: uid_t) -> Bool { Trust().owners.contains(user) }

    /// The users that ``trusts(_:)`` accepts, as errors name them.
    static var trusted: String { geteuid() == 0 ? "root (uid 0)" : "uid \(geteuid()) or root" }

    /// A user, as errors name one. No name is looked up: that may ask the network.
    static func name(of user: uid_t) -> String { user == 0 ? "root (uid 0)" : "uid \(user)" }

    private static func user(of descriptor: Int32) -> uid_t? {
        // C's struct ucred, which Glibc's module hides: process, user, group.
        var credentials: [UInt32] = [0, 0, 0]
        var size = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
        return credentials[1]
    }
}

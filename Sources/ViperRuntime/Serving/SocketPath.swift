import FoundationEssentials
import Glibc
package import ViperKit

/// Where a host's socket is in the file system.
package struct SocketPath: Sendable {
    package let path: String

    /// - Throws: ``ViperError/Code/socketFailed`` when no socket can have this path.
    package init(_ path: String) throws(ViperError) {
        let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count <= longest, !path.utf8.contains(0) else {
            throw Self.failure(path, "it is longer than the \(longest) bytes that a socket's path may have")
        }
        self.path = path
    }

    /// The path that host and clients use when none is given: in `$XDG_RUNTIME_DIR`, which is the user's own, else in a folder
    /// that is made so.
    ///
    /// - Throws: ``ViperError/Code/socketFailed`` when that folder is somebody else's.
    package static func standard(_ environment: [String: String]) throws(ViperError) -> SocketPath {
        // The specification says that a relative path is to be ignored.
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
            return try SocketPath("\(folder)/viper-host.sock")
        }
        let temporary = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let folder = "\(temporary)/viper-host-\(getuid())"
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure(folder, systemReason(errno)) }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
            status.st_mode & 0o7777 == 0o700
        else { throw failure(folder, "it is no folder that is open to this user alone") }
        return try SocketPath("\(folder)/host.sock")
    }

    /// A connection to the host that serves here.
    ///
    /// - Throws: ``ViperError/Code/hostMissing``.
    package func connect() throws(ViperError) -> Int32 {
        let descriptor = try Self.socket()
        // Where more clients wait than the system lets, this one waits too, but not for ever.
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withAddress { Glibc.connect(descriptor, $0, $1) }
        if result == 0 { return descriptor }
        let number = errno
        close(descriptor)
        throw ViperError(
            .hostMissing, "cannot reach the host at", path, cause: systemReason(number),
            mend: [ENOENT, ECONNREFUSED].contains(number) ? "start it with host serve --socket \(path)" : nil)
    }

    static func socket(flags: Int32 = 0) throws(ViperError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        if descriptor >= 0 { return descriptor }
        throw failure("a socket", systemReason(errno))
    }

    /// The path as the system takes it.
    func withAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Its length was checked, and the rest of the tuple stays 0.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { address in
            // C's way to have addresses of several kinds: each begins as a sockaddr does.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func failure(_ subject: String, _ cause: String, mend: String? = nil) -> ViperError {
        ViperError(.socketFailed, "cannot use socket", subject, cause: cause, mend: mend ?? "give another path")
    }
}

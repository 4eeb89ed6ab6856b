import FoundationEssentials
import Glibc
package import HostSystem
package import ViperKit

/// The location of a host's socket.
package struct SocketPath: Sendable {
    /// The path as given, which is the socket's address. The absolute path may be too long for an address.
    package let path: String
    /// The absolute path.
    package let file: String

    /// Creates a socket location from a path.
    ///
    /// - Throws: ``ViperError/Code/socketFailed`` if the path is too long or contains a NUL character.
    package init(_ path: String) throws(ViperError) {
        let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        if path.utf8.contains(0) { throw Self.failure(path, "it contains a NUL character") }
        let count = path.utf8.count
        guard count <= longest else {
            throw Self.failure(path, "it has \(count) bytes, more than the limit of \(longest)")
        }
        (self.path, file) = (path, try absolute(path))
    }

    /// Returns the default socket path, which hosts and clients share.
    ///
    /// The socket is in `$XDG_RUNTIME_DIR` if no untrusted user can change that folder. Otherwise, it is in a folder in
    /// `$TMPDIR`, which is created if it is missing.
    ///
    /// - Throws: ``ViperError/Code/socketFailed`` if other users own or can access the folder in `$TMPDIR`, or
    ///   ``ViperError/Code/pathUntrusted`` if an untrusted user can change a folder above it.
    package static func standard(
        _ environment: [String: String], _ trust: Trust = Trust()
    ) throws(ViperError) -> SocketPath {
        if let folder = userFolder(environment) { return try SocketPath("\(folder)/viper-host.sock") }
        let folder = try temporaryFolder(environment)
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure(folder, systemReason(errno)) }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
            status.st_mode & 0o777 == 0o700
        else {
            let facts = "owner \(status.st_uid), mode \(String(status.st_mode & 0o7777, radix: 8))"
            throw failure(
                folder, "it is not a folder that only this user can access (\(facts))",
                fix: "remove it, set XDG_RUNTIME_DIR or TMPDIR, or give --socket PATH")
        }
        do { _ = try OpenFolder(folder, trust) } catch {
            throw error.refusal("cannot use socket in", folder) ?? failure(folder, error.cause)
        }
        return try SocketPath("\(folder)/host.sock")
    }

    /// Returns the folder of the default socket path. It may be missing.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` if the working directory was removed.
    package static func standardFolder(_ environment: [String: String]) throws(ViperError) -> String {
        if let folder = userFolder(environment) { return folder }
        return try temporaryFolder(environment)
    }

    /// Returns the folder in `$TMPDIR`, which may be missing.
    private static func temporaryFolder(_ environment: [String: String]) throws(ViperError) -> String {
        let temporary = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        return "\(try absolute(temporary))/viper-host-\(getuid())"
    }

    /// Returns `$XDG_RUNTIME_DIR`. Returns nil if it is not set, or if untrusted users can change the folder.
    private static func userFolder(_ environment: [String: String]) -> String? {
        // The XDG specification requires programs to ignore a relative path.
        guard let folder = environment["XDG_RUNTIME_DIR"], isAbsolute(folder),
            (try? OpenFolder(folder, Trust())) != nil
        else { return nil }
        return folder
    }

    /// Returns the process that holds the lock of the host at this socket. Returns nil if no host serves there, or if the
    /// kernel does not report the process.
    ///
    /// - Parameter trust: The rules on who may change the lock file.
    package func holder(_ trust: Trust) -> LockHolder? {
        guard let folder = try? OpenFolder(parentFolder(of: file), trust),
            let lock = try? folder.file((pathNames(file).last ?? "") + ".lock")
        else { return nil }
        return LockHolder(of: lock.descriptor)
    }

    /// Connects to the host and returns the descriptor.
    ///
    /// The host must run as this user or as the system's root user, because the client sends it passwords.
    ///
    /// - Throws: ``ViperError/Code/hostMissing`` if no connection can be made, ``ViperError/Code/peerUntrusted`` if the
    ///   host runs as another user, or ``ViperError/Code/socketFailed`` if no socket can be created.
    package func connect() throws(ViperError) -> Int32 {
        let descriptor = try Self.socket()
        // If the server's connection queue is full, this timeout limits the wait to 10 seconds.
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let number = connect(descriptor)
        if number == 0 {
            do {
                try PeerUser.check(
                    descriptor, "cannot use the host at", path,
                    fix: "give the socket of a host that you started, with --via or --socket")
            } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        }
        close(descriptor)
        throw ViperError(
            .hostMissing, operation: "cannot reach the host at", subject: path, cause: systemReason(number),
            fix: isFolder(path)
                ? "give the socket of a running host, not a folder"
                : [ENOENT, ECONNREFUSED].contains(number) ? "start it with host serve --socket \(path)" : nil)
    }

    /// Connects a descriptor to the socket. Returns 0 if the descriptor is connected, otherwise the error number of
    /// connect(2).
    func connect(_ descriptor: Int32) -> Int32 { withAddress { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno }

    static func socket(flags: Int32 = 0) throws(ViperError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        if descriptor >= 0 { return descriptor }
        throw failure("a socket", systemReason(errno))
    }

    func withAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The initializer has checked the length, and the bytes after the path are 0.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { address in
            // C's sockets API uses `sockaddr` as the common prefix of all address types.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func failure(_ subject: String, _ cause: String, fix: String? = nil) -> ViperError {
        ViperError(
            .socketFailed, operation: "cannot use socket", subject: subject, cause: cause,
            fix: fix ?? "give another path")
    }
}

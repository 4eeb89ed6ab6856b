import Glibc

/// The program that has started this one as a service, such as systemd; see sd_notify(3).
enum ServiceManager {
    /// The socket on which the manager listens. The programs that this one starts do not get it.
    private static let socketPath: String? = {
        defer { unsetenv("NOTIFY_SOCKET") }
        return getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    }()

    /// Keeps the socket from the programs that this one starts. Call this before modules are loaded.
    static func adopt() { _ = socketPath }

    /// Sends the service's state, such as `READY=1`, to the service manager. Does nothing if there is none.
    static func notify(_ state: String) {
        guard let path = socketPath, !path.isEmpty else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // An abstract address begins with a null byte, which the variable writes as "@". It needs none at its end.
        let isAbstract = name.first == UInt8(ascii: "@")
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) + (isAbstract ? 1 : 0) else { return }
        if isAbstract { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let message = Array(state.utf8)
        withUnsafePointer(to: &address) { address in
            // The pointer is valid during the call, which reads only `length` bytes.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
            }
        }
    }
}

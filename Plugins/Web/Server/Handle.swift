import CMicroHTTPD
import Glibc

/// A connection of libmicrohttpd that can be suspended.
///
/// The type is `@unchecked Sendable`, because other threads only resume the connection, which libmicrohttpd allows. The
/// pointer is valid until libmicrohttpd reports the end of the exchange. Its owners then forget it, under their locks.
struct Handle: @unchecked Sendable {
    let connection: OpaquePointer
    private let descriptor: Int32

    /// Creates a handle. Called on the thread of libmicrohttpd.
    init(connection: OpaquePointer) {
        (self.connection, descriptor) = (connection, cmicrohttpd_descriptor(connection))
    }

    /// Suspends the connection. Called on the thread of libmicrohttpd.
    func suspend() { MHD_suspend_connection(connection) }

    /// Resumes the connection. libmicrohttpd then calls back.
    func resume() { MHD_resume_connection(connection) }

    /// Ends the connection without waiting for the client. Called while the owner has not forgotten the connection, so that its
    /// descriptor is open. A suspended connection must be resumed, too.
    func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// True if the client has closed the connection, or sends something although it has received no response.
    var isClosedByClient: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count >= 0 || errno != EAGAIN
    }
}

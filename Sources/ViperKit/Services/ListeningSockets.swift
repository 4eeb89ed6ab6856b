/// The listening sockets of the host, for modules that serve clients over TCP.
///
/// The host keeps a socket open while a module holds it, and for ten seconds longer. If the module is replaced, its clients
/// wait for the new version instead of being refused.
///
/// ```swift
/// let socket = try sockets.socket(at: "127.0.0.1:8080")
/// while let client = await accept(on: socket.descriptor) { serve(client) }
/// ```
public protocol ListeningSockets: Sendable {
    /// Returns the socket that listens at an address. Opens it unless it is open.
    ///
    /// - Parameter address: An IP address and a port, such as `127.0.0.1:8080` or `[::1]:8080`. `localhost` stands for
    ///   127.0.0.1. Port 0 stands for a free port.
    /// - Throws: `address-invalid` if the address has another form, or `listening-failed` if the system cannot open the
    ///   socket, for example because another program listens there.
    func socket(at address: String) throws(ViperError) -> any ListeningSocket
}

/// A socket that a module holds. The host keeps it open for as long as a module holds it.
public protocol ListeningSocket: AnyObject, Sendable {
    /// The descriptor of the socket, which listens and does not block. It belongs to the host: do not close it, and do not
    /// shut it down. It is valid while the module holds this object.
    var descriptor: Int32 { get }
    /// The address at which clients reach the socket, with the number of its port.
    var address: String { get }
}

extension ServiceKey where Service == any ListeningSockets {
    /// The listening sockets, named `listening-sockets` in manifests. The host provides this service.
    public static var listeningSockets: Self { Self("listening-sockets") }
}

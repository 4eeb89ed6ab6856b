import HostSystem
package import JSONRPC
package import ViperKit

/// A connection to a host that listens on a Unix socket.
package final class RemoteHost: Sendable {
    /// The scenes on the remote host. Use this object as the source of a ``Window``.
    package let scenes: RemoteScenes
    private let peer: Peer
    private let ended = OneShot<Void>()

    /// Creates a connection to the host that is listening on a socket.
    ///
    /// - Throws: ``ViperError/Code/hostMissing`` if no host listens on the socket, ``ViperError/Code/peerUntrusted`` if
    ///   an untrusted user runs the host, or ``ViperError/Code/socketFailed``.
    package init(at path: SocketPath) throws(ViperError) {
        let (descriptor, limits) = (try path.connect(), Limits.ofCaller)
        let connection = LineConnection(
            reading: descriptor, writing: descriptor, limits: limits, name: path.path)
        peer = Peer(connection, limits: limits)
        scenes = RemoteScenes(peer)
        peer.start { [scenes] method, content throws(ViperError) in
            try scenes.answer(method, content)
        } end: { [scenes] loss in
            Task { await scenes.lose(loss ?? connection.lost("the connection was closed")) }
            self.ended.set()
        }
    }

    /// Calls a method that takes no parameters.
    ///
    /// - Throws: The error in the other host's response, or ``ViperError/Code/connectionLost``.
    package func call<Value: Decodable & Sendable>(_ method: String, as type: Value.Type) async throws(ViperError)
        -> Value
    {
        try await call(method, EmptyPayload(), as: type)
    }

    /// Calls a method.
    ///
    /// - Throws: The error in the other host's response, or ``ViperError/Code/connectionLost``.
    package func call<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type
    ) async throws(ViperError) -> Value {
        try await peer.call(method, parameters, as: type)
    }

    /// Closes the connection, and waits until the pending output is written.
    package func close() async {
        peer.close()
        await ended.value()
    }
}

import JSONRPC
import ModuleIsolation
import ViperKit

/// The socket of the running host that `--via` selects.
struct Via: Sendable {
    /// The path of the socket. If nil, the command creates a host.
    var path: String?

    static let option = Option<Via>("--via", value: "PATH", summary: "Use the host that serves on this socket") {
        $0.path = $1
    }

    /// Checks that a host is selected, for a command that cannot create one.
    func require() throws(ViperError) {
        if path == nil {
            throw invalidArgument("--via", "it is missing", fix: "give --via PATH, the host's socket")
        }
    }

    /// Connects to the host, calls a closure with the connection, and returns the closure's result. Returns nil if no
    /// host is selected.
    func ask<Value>(
        _ question: (RemoteHost) async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value? {
        guard let path else { return nil }
        let host = try RemoteHost(at: SocketPath(path))
        do {
            let answer = try await question(host)
            await host.close()
            return answer
        } catch {
            await host.close()
            throw error
        }
    }
}

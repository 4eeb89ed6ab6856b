import Glibc
import HostSystem
import JSONRPC
import ModuleIsolation
import ViperKit
import ViperRuntime

extension Options {
    /// Returns a listing and the names of the refused modules. With `--via`, the host at that socket supplies the
    /// listing. Otherwise, a new host supplies it.
    func listing<Value: Listing>(_ type: Value.Type) async throws(ViperError) -> (Value, refused: [String]) {
        guard let via else {
            let host = try makeHost()
            host.checkLibraries()
            return (Value(of: host), ModuleListing(of: host).refused)
        }
        return try await Self.asked(via) { host throws(ViperError) in
            (try await host.listing(type), try await host.listing(ModuleListing.self).refused)
        }
    }

    /// Connects to the host that is serving at a path, calls a closure with the connection, and returns the closure's
    /// result.
    static func asked<Value>(
        _ path: String, _ question: (RemoteHost) async throws(ViperError) -> Value
    ) async throws(ViperError) -> Value {
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

    /// Prints a warning that names the refused modules, because some listings omit these modules.
    func warn(ofRefused refused: [String]) throws(ViperError) {
        if refused.isEmpty { return }
        let names = refused.map { printable($0) }.joined(separator: ", ")
        try Terminal.write(
            "host: warning: refused modules: \(names); host modules shows the reasons\n", to: STDERR_FILENO)
    }
}

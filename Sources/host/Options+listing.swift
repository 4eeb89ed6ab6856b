import Glibc
import ViperKit
import ViperRuntime

extension Options {
    /// What is listed: by the host that these options describe, or by the one of `--via`.
    ///
    /// - Returns: With it the names of the refused modules.
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

    /// What a host says that serves at a path.
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

    /// Says on standard error how many modules a listing leaves out.
    func warn(ofRefused refused: [String]) throws(ViperError) {
        if refused.isEmpty { return }
        let names = refused.map { printable($0) }.joined(separator: ", ")
        try Terminal.write("host: warning: refused: \(names); host modules says why\n", to: STDERR_FILENO)
    }
}

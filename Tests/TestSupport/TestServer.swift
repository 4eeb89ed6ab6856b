import Foundation
import HostDriver

/// A server from `Servers/` that listens on a free port of the loopback interface. Deallocating this object stops the
/// server.
public final class TestServer: Sendable {
    /// The server's base URL, in the form `http://127.0.0.1:PORT` or `https://127.0.0.1:PORT`.
    public let url: String
    /// The path of the self-signed certificate that secure servers use. A client must trust this certificate.
    public static let certificate = "\(Products.repository)/Tests/TestSupport/Servers/localhost.pem"

    private let companion: Companion
    private let folder: ScratchFolder

    /// Starts `Servers/NAME.py`, and returns when the server accepts connections.
    ///
    /// - Parameters:
    ///   - name: The script's name without `.py`.
    ///   - isSecure: True to use HTTPS.
    /// - Throws: ``ChildFailure`` if the server does not start.
    public init(_ name: String, isSecure: Bool = false) async throws {
        folder = try ScratchFolder()
        let script = "\(Products.repository)/Tests/TestSupport/Servers/\(name).py"
        // `-B` prevents Python from writing `__pycache__` into the sources.
        let arguments = ["-B", script, folder.path + "/requests"] + (isSecure ? [Self.certificate] : [])
        companion = try Companion(await Python.process(arguments))
        let port = try await companion.line()
        guard Int(port) != nil else { throw ChildFailure("the server \(name) does not start: \(port)") }
        url = "\(isSecure ? "https" : "http")://127.0.0.1:\(port)"
    }

    /// The requests that the server has received, each in the form `METHOD PATH BODY`. The server logs a request before
    /// it responds.
    public var requests: [String] {
        let log = (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }
}

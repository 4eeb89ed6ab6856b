import Foundation
import HostDriver

/// A server of `Servers/` on a free port of the loopback interface. It ends with this value.
public final class TestServer: Sendable {
    /// The server's base URL: `http://127.0.0.1:PORT`, or the same with https.
    public let url: String
    /// The self-signed certificate of a secure server. A client has to trust this file.
    public static let certificate = "\(Products.repository)/Tests/TestSupport/Servers/localhost.pem"

    private let companion: Companion
    private let folder: ScratchFolder

    /// Starts `Servers/NAME.py`, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - name: The script's name without `.py`.
    ///   - isSecure: True for https.
    /// - Throws: ``ChildFailure`` if the server does not start.
    public init(_ name: String, isSecure: Bool = false) async throws {
        folder = try ScratchFolder()
        let script = "\(Products.repository)/Tests/TestSupport/Servers/\(name).py"
        // -B: do not write `__pycache__` into the sources.
        let arguments = ["-B", script, folder.path + "/requests"] + (isSecure ? [Self.certificate] : [])
        companion = try Companion(await Python.process(arguments))
        let port = try await companion.line()
        guard Int(port) != nil else { throw ChildFailure("the server \(name) does not start: \(port)") }
        url = "\(isSecure ? "https" : "http")://127.0.0.1:\(port)"
    }

    /// The requests so far, each as `METHOD PATH BODY`. The server logs a request before it responds.
    public var requests: [String] {
        let log = (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }
}

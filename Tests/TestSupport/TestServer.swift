import Foundation

/// A server of `Servers/`, on a port of its own of the loopback interface. It ends with the value.
public final class TestServer: Sendable {
    /// `http://127.0.0.1:PORT`, or with https.
    public let url: String
    /// The certificate that a secure server shows. It vouches for itself, so a client has to trust this file.
    public static let certificate = "\(Products.repository)/Tests/TestSupport/Servers/localhost.pem"

    private let companion: Companion
    private let folder: ScratchFolder

    /// Starts `Servers/NAME.py`, and returns when it can be asked.
    ///
    /// - Parameter isSecure: Whether it speaks https.
    /// - Throws: ``ChildFailure`` when it does not start.
    public init(_ name: String, isSecure: Bool = false) async throws {
        folder = try ScratchFolder()
        let script = "\(Products.repository)/Tests/TestSupport/Servers/\(name).py"
        // -B: no __pycache__ among the sources.
        let arguments = ["-B", script, folder.path + "/requests"] + (isSecure ? [Self.certificate] : [])
        companion = try Companion(ChildProcess("python3", arguments))
        let port = try await companion.line()
        guard Int(port) != nil else { throw ChildFailure("the server \(name) does not start: \(port)") }
        url = "\(isSecure ? "https" : "http")://127.0.0.1:\(port)"
    }

    /// What it was asked until now, each as `METHOD PATH BODY`. A request is in here before it is answered.
    public var requests: [String] {
        let log = (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }
}

import HostSystem
package import ViperKit

/// The codes of what goes wrong between two ends of a connection.
extension ViperError.Code {
    /// A line is no JSON.
    package static var messageMalformed: Self { Self(rawValue: "message-malformed") }
    /// A line is no message of JSON-RPC 2.0.
    package static var messageInvalid: Self { Self(rawValue: "message-invalid") }
    /// The other end does not know the method.
    package static var methodUnknown: Self { Self(rawValue: "method-unknown") }
    /// A call's parameters are not those of its method.
    package static var argumentsInvalid: Self { Self(rawValue: "arguments-invalid") }
    /// A limit is reached; ``ViperError/subject`` is its name, as `--limit` takes it.
    package static var limitReached: Self { Self(rawValue: "limit-reached") }
    /// The host takes no calls any more, since it is about to end.
    package static var hostEnding: Self { Self(rawValue: "host-ending") }
    /// Nobody serves at a socket.
    package static var hostMissing: Self { Self(rawValue: "host-missing") }
    /// A socket cannot be served at: another host does, or the system refuses it.
    package static var socketFailed: Self { Self(rawValue: "socket-failed") }
    /// The other end of a socket, or what lies in its place, belongs to another user.
    package static var peerUntrusted: Self { Self(rawValue: "peer-untrusted") }
    /// The connection has ended, so that no answer comes.
    package static var connectionLost: Self { Self(rawValue: "connection-lost") }
    /// Whoever made a call does not wait for its answer any more.
    package static var callCancelled: Self { Self(rawValue: "call-cancelled") }
    /// The other end answered with an error that is none of this host's.
    package static var callFailed: Self { Self(rawValue: "call-failed") }
}

extension ViperError {
    /// The number that JSON-RPC has for an error.
    var messageCode: Int {
        switch code {
        case .messageMalformed: -32700
        case .messageInvalid: -32600
        case .methodUnknown: -32601
        case .argumentsInvalid: -32602
        default: -32000
        }
    }

    package static func methodUnknown(_ method: String, known: [String]) -> ViperError {
        let near = nearestNames(to: method, in: known).first
        return ViperError(
            .methodUnknown, "cannot call", method, cause: "there is no such method",
            mend: near.map { "call \($0)" } ?? "call one of \(known.joined(separator: ", "))")
    }

    package static func connectionLost(_ cause: String, to name: String = "the other end") -> ViperError {
        ViperError(.connectionLost, "cannot reach", name, cause: cause)
    }

    package static func limitReached(_ name: String, _ cause: String) -> ViperError {
        ViperError(
            .limitReached, "cannot go beyond", name, cause: cause, mend: "start the host with --limit \(name)=VALUE")
    }
}

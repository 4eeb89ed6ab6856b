import HostSystem
package import ViperKit

extension ViperError.Code {
    /// A line is not valid JSON.
    package static var messageMalformed: Self { Self("message-malformed", .unavailable) }
    /// A line is not a JSON-RPC 2.0 message.
    package static var messageInvalid: Self { Self("message-invalid", .unavailable) }
    /// The other end does not support the method.
    package static var methodUnknown: Self { Self("method-unknown", .unavailable) }
    /// The parameters of a call do not match its method.
    package static var argumentsInvalid: Self { Self("arguments-invalid", .configuration) }
    /// The host is about to exit and accepts no calls.
    package static var hostEnding: Self { Self("host-ending", .unavailable) }
    /// No host is listening on a socket.
    package static var hostMissing: Self { Self("host-missing", .unavailable) }
    /// A socket cannot be used, because another host uses it or a system call failed.
    package static var socketFailed: Self { Self("socket-failed", .creation) }
    /// The process at the other end of a socket runs as another user.
    package static var peerUntrusted: Self { Self("peer-untrusted", .unavailable) }
    /// The connection has ended, so no response can arrive.
    package static var connectionLost: Self { Self("connection-lost", .unavailable) }
    /// The call was cancelled. The caller no longer waits for the response.
    package static var callCancelled: Self { Self("call-cancelled", .dependency) }
    /// The host makes as many changes as it can at the same time. The same call may succeed later.
    package static var busy: Self { Self("busy", .temporary) }
    /// The other end responded with an error that is not a ``ViperError``.
    package static var callFailed: Self { Self("call-failed", .dependency) }
}

extension ViperError {
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
            .methodUnknown, operation: "cannot call method", subject: method, cause: "it does not exist",
            fix: near.map { "call \($0)" } ?? "call one of \(known.joined(separator: ", "))")
    }

    package static func connectionLost(_ cause: String, to name: String = "the peer") -> ViperError {
        ViperError(.connectionLost, operation: "cannot reach", subject: name, cause: cause)
    }

    package static func limitReached(_ name: String, _ cause: String) -> ViperError {
        ViperError(
            .limitReached, operation: "cannot exceed limit", subject: name, cause: cause,
            fix: "start the host with --limit \(name)=VALUE")
    }
}

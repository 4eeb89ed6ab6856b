import CCurl
import ViperKit

/// The reason why no complete response arrived.
enum TransferFailure: Error {
    case cancelled
    case tooLarge
    /// Memory is exhausted.
    case noMemory
    /// The connection was closed before the header was complete, which libcurl does not report as an error.
    case cutOff
    /// libcurl reported this result code.
    case curl(Int32)

    func explained(for request: HTTPRequest) -> ViperError {
        switch self {
        case .cancelled: request.failure("it was cancelled")
        case .tooLarge:
            request.failure(
                "the response is larger than \(request.sizeLimit) bytes",
                fix: "increase the request's sizeLimit, or request less data")
        case .noMemory: request.failure("memory is exhausted")
        case .cutOff: request.failure("the response is incomplete", fix: "retry")
        case .curl(let code): Self.explained(code, for: request)
        }
    }

    private static func explained(_ code: Int32, for request: HTTPRequest) -> ViperError {
        let notes = [ViperError.Note("libcurl says", String(cString: curl_easy_strerror(code)))]
        func failure(_ cause: String, fix: String? = nil) -> ViperError {
            request.failure(cause, notes: notes, fix: fix)
        }
        return switch code {
        case CURLE_OPERATION_TIMEDOUT:
            request.failure(
                "it took longer than \(request.timeLimit)",
                fix: "retry, or increase the request's timeLimit")
        case CURLE_COULDNT_RESOLVE_HOST:
            failure("no connection: the host name cannot be resolved", fix: "check the host's name")
        case CURLE_COULDNT_CONNECT:
            failure("no connection", fix: "check host and port, and that the server is running")
        case CURLE_PEER_FAILED_VERIFICATION:
            failure(
                "the server's certificate cannot be verified",
                fix: "check the host's name, and its certificate")
        case CURLE_SSL_CACERT_BADFILE:
            failure(
                "the trusted certificates cannot be read", fix: "check SSL_CERT_FILE and SSL_CERT_DIR")
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: failure("the response is incomplete", fix: "retry")
        case CURLE_RECV_ERROR: failure("the response is incomplete or damaged", fix: "retry")
        default: failure("no complete response arrived")
        }
    }
}

/// The answer to a request.
enum Reply: Sendable {
    case now(Response)
    /// A response that takes time. The connection is suspended until the closure returns.
    case later(@Sendable () async -> Response)
    case stream(EventStream)
}

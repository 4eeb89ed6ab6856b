import CMicroHTTPD
import Synchronization

/// A response that any number of connections can send.
///
/// The type is `@unchecked Sendable`, because libmicrohttpd counts the users of a response under a lock of its own, and
/// only the server's thread changes a response after its initializer.
final class Response: @unchecked Sendable {
    /// A header field. Its value contains no line break.
    typealias Field = (name: String, value: String)

    let status: UInt32
    /// The number of bytes of the body. 0 for a stream, whose events are counted when they are sent.
    let size: Int
    /// The libmicrohttpd response. `deinit` gives up this object's use of it.
    let handle: OpaquePointer
    private let demandsTLS = Atomic(false)

    /// Creates a response with a body.
    init(_ status: UInt32, _ type: String, _ body: [UInt8], _ fields: [Field] = []) {
        (self.status, size) = (status, body.count)
        handle = body.withUnsafeBytes { bytes in
            // libmicrohttpd copies the bytes before the call returns, and does not write to them.
            Self.made(
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    MHD_ResponseMemoryMode.RESPMEM_MUST_COPY))
        }
        add(Self.common + [("Content-Type", type)] + fields)
    }

    /// Creates the response of a stream.
    ///
    /// - Parameter hasBody: False for the answer to HEAD. libmicrohttpd would end it with a last chunk.
    init(streaming stream: EventStream, hasBody: Bool = true) {
        (status, size) = (200, 0)
        // The response owns a reference to the stream, which libmicrohttpd gives back when it frees the response.
        handle = Self.made(
            MHD_create_response_from_callback(
                UInt64.max, 512,
                { stream, _, buffer, size in
                    guard let stream, let buffer else { return -1 }
                    return Unmanaged<EventStream>.fromOpaque(stream).takeUnretainedValue()
                        .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
                }, Unmanaged.passRetained(stream).toOpaque(),
                { stream in if let stream { Unmanaged<EventStream>.fromOpaque(stream).release() } }))
        if !hasBody { cmicrohttpd_use_no_chunks(handle) }
        // A request for the next stream then goes over another connection, to the next version of this module.
        // nginx would keep the events back otherwise.
        add(
            Self.common + [
                ("Content-Type", "text/event-stream; charset=utf-8"), ("Connection", "close"),
                ("X-Accel-Buffering", "no"),
            ])
    }

    deinit { MHD_destroy_response(handle) }

    /// Tells browsers to use TLS for this host name only, for a year. Called on the thread of libmicrohttpd, which sends the
    /// header later on the same thread.
    func demandTLS() {
        if demandsTLS.exchange(true, ordering: .relaxed) { return }
        MHD_add_response_header(handle, "Strict-Transport-Security", "max-age=31536000")
    }

    /// The fields of all responses. The policy allows only files and forms of this server.
    private static let common: [Field] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Ends the process if memory is exhausted, as Swift's own allocations do.
    private static func made(_ handle: OpaquePointer?) -> OpaquePointer {
        guard let handle else { fatalError("memory is exhausted") }
        return handle
    }

    private func add(_ fields: [Field]) {
        for (name, value) in fields { MHD_add_response_header(handle, name, value) }
        if !fields.contains(where: { $0.name == "Cache-Control" }) {
            MHD_add_response_header(handle, "Cache-Control", "no-store")
        }
        if status == 503 || status == 429, !fields.contains(where: { $0.name == "Retry-After" }) {
            MHD_add_response_header(handle, "Retry-After", "5")
        }
    }
}

extension Response {
    /// Creates a response with an HTML document.
    convenience init(html: String, status: UInt32 = 200, _ fields: [Field] = []) {
        self.init(status, "text/html; charset=utf-8", Array(html.utf8), fields)
    }

    /// Creates the response about an error.
    convenience init(problem title: String, _ text: String, status: UInt32, _ fields: [Field] = []) {
        self.init(html: Page.problem(title, text, status: Int(status)), status: status, fields)
    }

    /// Creates a response that leads to another page of this server. A browser requests it by GET.
    ///
    /// - Parameter path: The path and query, without line breaks.
    convenience init(seeOther path: String, _ fields: [Field] = []) {
        self.init(303, "text/plain; charset=utf-8", [], fields + [("Location", path)])
    }
}

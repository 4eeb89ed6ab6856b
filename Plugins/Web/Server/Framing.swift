import CMicroHTTPD
import Glibc

/// The header fields that tell where a request ends, and to which host it goes.
///
/// A server in front of this one could read a request with two such fields in another way. A client could then hide a
/// request in the body of another (request smuggling). So this server refuses them, as RFC 9112 demands in sections 3.2
/// and 6.3. No browser sends a form in chunks.
struct Framing {
    private var hosts = 0
    private var lengths = 0
    private var encodings = 0

    /// Reads the fields of a request. Called on the thread of libmicrohttpd.
    init(of connection: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { fields in
            // The pointer is valid during the call, and the function is called within it.
            _ = MHD_get_connection_values(
                connection, MHD_ValueKind.HEADER_KIND,
                { fields, _, name, _ in
                    guard let name, let fields = fields?.assumingMemoryBound(to: Framing.self) else { return .YES }
                    fields.pointee.count(name)
                    return .YES
                }, fields)
        }
    }

    private mutating func count(_ name: UnsafePointer<CChar>) {
        if strcasecmp(name, "Host") == 0 { hosts += 1 }
        if strcasecmp(name, "Content-Length") == 0 { lengths += 1 }
        if strcasecmp(name, "Transfer-Encoding") == 0 { encodings += 1 }
    }

    /// The response to a request that is ambiguous. Nil if it is not. The connection closes after the response.
    var refusal: Response? {
        if hosts > 1 || lengths > 1 || encodings > 0 && lengths > 0 {
            return Response(
                problem: "The request is ambiguous", "It contains a header field twice, or two lengths.", status: 400,
                [("Connection", "close")])
        }
        if encodings > 0 {
            return Response(
                problem: "The length is missing", "A form must have a Content-Length.", status: 411,
                [("Connection", "close")])
        }
        return nil
    }
}

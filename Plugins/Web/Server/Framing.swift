import CMicroHTTPD
import Glibc

/// The header of a request, as far as it tells where the request ends, and to which host it goes.
///
/// A server in front of this one could read a malformed header, or two such fields, in another way. A client could then
/// hide a request in the body of another (request smuggling). So this server refuses them, as RFC 9112 demands in sections
/// 3.2, 5 and 6.3. No browser sends a form in chunks.
struct Framing {
    private var hosts = 0
    private var lengths = 0
    private var encodings = 0
    private var isChunked = false
    private var isMalformed = false
    /// The size of the lines that were read as fields.
    private var size = 0

    /// libmicrohttpd before 1.0 ends a text at a NUL, and reads the continuation of a folded line as a part of the name.
    private static let isLenient = String(cString: MHD_get_version()).hasPrefix("0.")
    /// The strictness of libmicrohttpd. If a version before 1.0 refuses a request itself for a missing host, it sends the
    /// header of its response twice.
    static let strictness: Int32 = isLenient ? 0 : 1
    /// The size of the spaces, the version and the line break in the first line of a request, and of the empty line that
    /// ends the header.
    private static let rest = "  HTTP/1.1\r\n\r\n".utf8.count

    /// Reads the fields of a request. Called on the thread of libmicrohttpd.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - target: The target of the request.
    ///   - targetSize: The number of bytes of the target, also if they are not UTF-8.
    ///   - needsHost: True if the request must have the field `Host`.
    init(of connection: OpaquePointer, _ method: String, _ target: String, targetSize: Int, needsHost: Bool) {
        withUnsafeMutablePointer(to: &self) { fields in
            // The pointer is valid during the call, and the function is called within it.
            _ = MHD_get_connection_values(
                connection, MHD_ValueKind.HEADER_KIND,
                { fields, _, name, value in
                    guard let name, let fields = fields?.assumingMemoryBound(to: Framing.self) else { return .YES }
                    fields.pointee.read(name, value)
                    return .YES
                }, fields)
        }
        if needsHost && hosts == 0 || target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) { isMalformed = true }
        // The sum lacks the bytes that were not read as part of a field.
        if Self.isLenient, method.utf8.count + targetSize + size + Self.rest != cmicrohttpd_header_size(connection) {
            isMalformed = true
        }
    }

    private mutating func read(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
        guard let value else {
            isMalformed = true
            return
        }
        // Both texts are parts of one line in the memory of libmicrohttpd. Between them are the colon and white space.
        size += UnsafeRawPointer(value) - UnsafeRawPointer(name) + strlen(value) + 2
        if !Self.isToken(name) || !Self.isText(value) { isMalformed = true }
        if strcasecmp(name, "Host") == 0 {
            hosts += 1
            if strpbrk(value, " \t,/@") != nil { isMalformed = true }
        } else if strcasecmp(name, "Content-Length") == 0 {
            lengths += 1
            if strspn(value, "0123456789") != strlen(value) { isMalformed = true }
        } else if strcasecmp(name, "Transfer-Encoding") == 0 {
            encodings += 1
            isChunked = strcasecmp(value, "chunked") == 0
        }
    }

    /// Returns true if a name consists of the characters of a token; see RFC 9110, section 5.6.2.
    private static func isToken(_ name: UnsafePointer<CChar>) -> Bool {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return name.pointee != 0 && strspn(name, letters + "0123456789!#$%&'*+-.^_`|~") == strlen(name)
    }

    /// Returns true if a value contains no control character but tabs.
    private static func isText(_ value: UnsafePointer<CChar>) -> Bool {
        var next = value
        while next.pointee != 0 {
            let byte = UInt8(bitPattern: next.pointee)
            if byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7f { return false }
            next += 1
        }
        return true
    }

    /// The reason of the refusal.
    var reason: Refusals.Reason { isMalformed ? .malformed : .framing }

    /// The response to a request that is malformed or ambiguous. Nil if it is neither. The connection closes after the
    /// response.
    var refusal: Response? {
        if isMalformed || encodings > 0 && !isChunked {
            return Response(
                problem: "The request is malformed", "Its header cannot be read in one way only.", status: 400,
                [("Connection", "close")])
        }
        if hosts > 1 || lengths > 1 || encodings > 1 || encodings > 0 && lengths > 0 {
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

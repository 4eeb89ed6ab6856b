import ViperKit

/// The URLs and requests for a server that stores records.
struct RecordServer: Sendable {
    private let baseURL: BaseURL

    /// Creates a record server with the given base URL.
    ///
    /// - Parameter baseURL: The URL to which collection names are appended. A trailing slash is optional.
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if the URL is not a valid base URL.
    init(baseURL: String) throws(ViperError) { self.baseURL = try BaseURL(baseURL) }

    /// Returns a request for the whole server, a collection, or a record.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - names: The path components. Pass nothing for the whole server, a collection's name for a collection, or a
    ///     collection's name and a record's ID for a record.
    ///   - body: The JSON body, or nil.
    func request(_ method: String, _ names: String..., body: [UInt8]? = nil) -> HTTPRequest {
        var request = HTTPRequest(
            method: method, url: ([baseURL.text] + names.map(Self.encoded)).joined(separator: "/"))
        request.headers["Accept"] = "application/json"
        if body != nil { request.headers["Content-Type"] = "application/json" }
        request.body = body
        return request
    }

    /// Returns the request for a single change.
    func request(for change: EncodedChange) throws(ViperError) -> HTTPRequest {
        switch change.kind {
        case .insert: request("POST", change.collection, body: change.json)
        case .replace: request("PUT", change.collection, change.id, body: change.json)
        case .delete: request("DELETE", change.collection, change.id)
        default: throw change.unknownKindError
        }
    }

    /// Percent-encodes all bytes of a name except ASCII letters, digits, `-`, `_` and `~`.
    ///
    /// RFC 3986 does not require encoding the dot, but URL parsers remove the path segments `.` and `..`.
    private static func encoded(_ name: String) -> String {
        let bytes = name.utf8.flatMap { byte -> [UInt8] in
            if isPlain(byte) { return [byte] }
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

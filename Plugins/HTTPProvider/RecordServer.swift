import ViperKit

/// The URLs of a server of records.
struct RecordServer: Sendable {
    private let baseURL: BaseURL

    /// - Parameter baseURL: What stands before the collection in every URL. A slash at its end does not matter.
    /// - Throws: ``ViperError/Code/httpRequest`` when nothing can be put behind it.
    init(baseURL: String) throws(ViperError) { self.baseURL = try BaseURL(baseURL) }

    /// A request for a collection, for one of its records, or for the whole server.
    func request(_ method: String, _ names: String..., body: [UInt8]? = nil) -> HTTPRequest {
        var request = HTTPRequest(
            method: method, url: ([baseURL.text] + names.map(Self.encoded)).joined(separator: "/"))
        request.headers["Accept"] = "application/json"
        if body != nil { request.headers["Content-Type"] = "application/json" }
        request.body = body
        return request
    }

    /// The request that makes one change.
    func request(for change: EncodedChange) throws(ViperError) -> HTTPRequest {
        switch change.kind {
        case .insert: request("POST", change.collection, body: change.json)
        case .replace: request("PUT", change.collection, change.id, body: change.json)
        case .delete: request("DELETE", change.collection, change.id)
        default: throw change.unknownKind
        }
    }

    /// The name with every byte of its UTF-8 percent-encoded that is no letter, digit, `-`, `_` or `~`. RFC 3986 leaves the dot
    /// alone too, but of the ids `.` and `..` a URL's reader would make a step in the path.
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

import CCurl
import ViperKit

/// One request on its way, and what has come of its response. Lives on the thread of its ``Transfers``.
final class Transfer {
    typealias Outcome = Result<(response: HTTPResponse, location: String?), TransferFailure>

    /// libcurl's name for the transfer.
    let easy: OpaquePointer
    let request: HTTPRequest
    /// The headers, as libcurl wants them. It does not copy them.
    var lines: OpaquePointer?
    private var response = HTTPResponse(status: 0, headers: [:], body: [])
    private var isHeaderOver = false
    private(set) var failure: TransferFailure?

    /// Nil when there is no memory for it.
    init?(_ request: HTTPRequest, _ authorities: Authorities) {
        guard let easy = curl_easy_init() else { return nil }
        (self.easy, self.request) = (easy, request)
        prepare(authorities)
        listen()
        if failure != nil { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(lines)
    }

    /// Notes that libcurl does not take a setting, which happens only when there is no memory for it.
    func demand(_ code: Int32) {
        if code != 0 { failure = .noMemory }
    }

    /// What has come of it, once libcurl says that it is over.
    func outcome(_ code: Int32) -> Outcome {
        if let failure { return .failure(failure) }
        if code != 0 { return .failure(.curl(code)) }
        if !isHeaderOver { return .failure(.cutOff) }
        response.status = ccurl_number(easy, CURLINFO_RESPONSE_CODE)
        // The text belongs to libcurl until the handle goes.
        let location = ccurl_pointer(easy, CURLINFO_REDIRECT_URL).map {
            String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
        return .success((response, location))
    }

    /// Lets libcurl call this object with what comes. It does so on the thread that drives the transfer, and only until the
    /// handle is cleaned up, which is when this object goes.
    private func listen() {
        let itself = Unmanaged.passUnretained(self).toOpaque()
        demand(ccurl_set_pointer(easy, CURLOPT_HEADERDATA, itself))
        ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION) { text, size, count, itself in
            Transfer.taken(text, size * count, by: itself) { $0.takeHeader($1) }
        }
        demand(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, itself))
        ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION) { text, size, count, itself in
            Transfer.taken(text, size * count, by: itself) { $0.takeBody($1) }
        }
    }

    /// Hands over what libcurl has. Another result than its length ends the transfer.
    private static func taken(
        _ text: UnsafeMutablePointer<CChar>?, _ length: Int, by itself: UnsafeMutableRawPointer?,
        _ take: (Transfer, UnsafeRawBufferPointer) -> TransferFailure?
    ) -> Int {
        guard let itself else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(itself).takeUnretainedValue()
        transfer.failure = take(transfer, UnsafeRawBufferPointer(start: text, count: length))
        // One more than there was, so that an empty part can be refused too.
        return transfer.failure == nil ? length : length + 1
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> TransferFailure? {
        var end = bytes[...]
        while let last = end.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { end = end.dropLast() }
        let line = String(decoding: end, as: UTF8.self)
        // A header of a response that only comes before the one that counts is forgotten with the next one's first line.
        if line.hasPrefix("HTTP/"), line.contains(" ") {
            (isHeaderOver, response.headers) = (false, [:])
            response.status = ccurl_number(easy, CURLINFO_RESPONSE_CODE)
            return nil
        }
        // What comes after the body belongs to nobody.
        if isHeaderOver { return nil }
        if line.isEmpty {
            isHeaderOver = true
            let length = response.headers["content-length"].flatMap(Int.init) ?? 0
            // These two tell the length of a body that they do not have.
            return length > request.sizeLimit && request.method != "HEAD" && response.status != 304 ? .tooLarge : nil
        }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let (name, value) = (
            line[..<colon].lowercased(), line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        )
        // Appended in place: a header may come thousands of times.
        response.headers[name, default: ""] += response.headers[name] == nil ? String(value) : ", \(value)"
        return nil
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> TransferFailure? {
        if response.body.count + bytes.count > request.sizeLimit { return .tooLarge }
        response.body.append(contentsOf: bytes)
        return nil
    }
}

import CCurl
import ViperKit

/// One request on its way, and what has come of its response. Lives on the thread of its ``Transfers``.
final class Transfer {
    typealias Outcome = Result<(response: HTTPResponse, location: String?), TransferFailure>

    /// libcurl's name for the transfer.
    let easy: OpaquePointer
    private let request: HTTPRequest
    private var lines: OpaquePointer?
    private var response = HTTPResponse(status: 0, headers: [:], body: [])
    private var isHeaderOver = false
    private var failure: TransferFailure?

    /// Nil when there is no memory for it.
    init?(_ request: HTTPRequest) {
        guard let easy = curl_easy_init() else { return nil }
        (self.easy, self.request) = (easy, request)
        setRequest()
        setLimits()
        listen()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(lines)
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

    private func setRequest() {
        ccurl_set_text(easy, CURLOPT_URL, request.url)
        ccurl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_number(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP_AND_HTTPS)
        // Every way of packing that this libcurl unpacks.
        ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
        var headers = request.headers.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
        // What libcurl adds by itself: it neither knows what the body is, nor shall it ask before it sends it.
        if !request.headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
            headers.append("Content-Type:")
        }
        headers.append("Expect:")
        for header in headers { lines = curl_slist_append(lines, header) }
        ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines.map { UnsafeRawPointer($0) })
        if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil),
            request.method != "GET"
        {
            ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
            // It copies them. A null pointer would mean that they come from elsewhere, and an empty array may have one.
            body.withUnsafeBytes { bytes in
                _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(easy))
            }
        }
        // On a line that was used before, libcurl sends a request once more when the server closes it without an answer: a
        // change could then be made twice.
        if !["GET", "HEAD"].contains(request.method) { ccurl_set_number(easy, CURLOPT_FRESH_CONNECT, 1) }
        switch request.method {
        case "GET": break
        case "HEAD": ccurl_set_number(easy, CURLOPT_NOBODY, 1)
        default: ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func setLimits() {
        // Rounded up: none is 0, which means that there is no limit.
        let time = max(1, Int((request.timeLimit * 1000).rounded(.up)))
        ccurl_set_number(easy, CURLOPT_TIMEOUT_MS, time)
        // Otherwise it would look up names with a signal that ends the process.
        ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    }

    /// Lets libcurl call this object with what comes. It does so on the thread that drives the transfer, and only until the
    /// handle is cleaned up, which is when this object goes.
    private func listen() {
        let itself = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, itself)
        ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION) { text, size, count, itself in
            Transfer.taken(text, size * count, by: itself) { $0.takeHeader($1) }
        }
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, itself)
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
        let line = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
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
        response.headers[name] = response.headers[name].map { "\($0), \(value)" } ?? String(value)
        return nil
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> TransferFailure? {
        if response.body.count + bytes.count > request.sizeLimit { return .tooLarge }
        response.body.append(contentsOf: bytes)
        return nil
    }
}
